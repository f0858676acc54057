import { type TSchema, Type } from "typebox";
import { addRoute } from "../../../../platform/http/add-route.ts";
import type { App } from "../../../../platform/http/app.ts";
import { oauthScopes, READING } from "./parameters.ts";

const schemaOf = (document: Readonly<Record<string, unknown>>) =>
	Type.Object(
		Object.fromEntries(
			Object.entries(document).map(([name, value]): [string, TSchema] => [
				name,
				Array.isArray(value) ? Type.Array(Type.String()) : value === true ? Type.Boolean() : Type.String(),
			]),
		),
	);

/** Capabilities of the authorization server (RFC 8414). */
const authorizationServer = (rootUrl: string) => ({
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
const protectedResource = (rootUrl: string) => ({
	resource: `${rootUrl}/mcp`,
	authorization_servers: [rootUrl],
	scopes_supported: [READING],
	bearer_methods_supported: ["header"],
	resource_name: "Footfall",
});

const tags = ["Connections"];
const config = { guard: { kind: "public" }, limit: "none" } as const;
const AN_HOUR = "public, max-age=3600";

/** The documents by which apps find everything else, at the root of the host. */
export function registerDiscovery(app: App, { rootUrl }: { readonly rootUrl: string }): void {
	const serve = (url: string, summary: string, document: Readonly<Record<string, unknown>>) =>
		addRoute(app, `GET /.well-known/${url}`, {
			tags,
			summary,
			...config,
			answer: schemaOf(document),
			handler: async (_request, reply) => {
				reply.header("cache-control", AN_HOUR);
				return document;
			},
		});
	serve("oauth-authorization-server", "Authorization server metadata", authorizationServer(rootUrl));
	for (const url of ["oauth-protected-resource", "oauth-protected-resource/mcp"]) {
		serve(url, "Protected resource metadata of the MCP server", protectedResource(rootUrl));
	}
}
