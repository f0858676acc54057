import { oauthScopes, READING } from "./scopes.ts";

/** Capabilities of the authorization server (RFC 8414). */
export const authorizationServer = (rootUrl: string) => ({
	issuer: rootUrl,
	authorization_endpoint: `${rootUrl}/api/v1/oauth/authorize`,
	token_endpoint: `${rootUrl}/api/v1/oauth/token`,
	registration_endpoint: `${rootUrl}/api/v1/oauth/register`,
	revocation_endpoint: `${rootUrl}/api/v1/oauth/revoke`,
	response_types_supported: ["code"],
	response_modes_supported: ["query"],
	grant_types_supported: ["authorization_code", "refresh_token"],
	code_challenge_methods_supported: ["S256"],
	token_endpoint_auth_methods_supported: ["none"],
	revocation_endpoint_auth_methods_supported: ["none"],
	scopes_supported: [...oauthScopes],
	authorization_response_iss_parameter_supported: true,
	client_id_metadata_document_supported: true,
	protected_resources: [`${rootUrl}/mcp`],
});

/** Requirements of the MCP server on its clients (RFC 9728). */
export const protectedResource = (rootUrl: string) => ({
	resource: `${rootUrl}/mcp`,
	authorization_servers: [rootUrl],
	scopes_supported: [READING],
	bearer_methods_supported: ["header"],
	resource_name: "Footfall",
});
