import { Type } from "typebox";
import { Nullable, OneOf, Timestamp } from "../../../platform/http/schemas.ts";
import { RegisterBody, Registered } from "../../people/auth/index.ts";
import { oauthScopes } from "./protocol/scopes.ts";

const text = (description: string) => Type.Optional(Type.String({ description }));
const scopes = () => Type.Array(OneOf(oauthScopes));

/** Every answer of the protocol that is not a success. */
export const OAuthFault = Type.Object({
	error: Type.String({ description: "RFC 6749 code; branch on it" }),
	error_description: Type.String(),
});

export const RegisterClientBody = Type.Object({
	redirect_uris: Type.Array(Type.String(), {
		minItems: 1,
		maxItems: 10,
		description: "https, http on loopback, or a private-use scheme; no fragment",
	}),
	client_name: Type.Optional(Type.String({ maxLength: 255, default: "MCP client" })),
	token_endpoint_auth_method: Type.Optional(Type.Literal("none")),
});

export const RegisteredClientAnswer = Type.Object({
	client_id: Type.String(),
	client_id_issued_at: Type.Integer({ description: "Seconds since the Unix epoch" }),
	client_name: Type.String(),
	redirect_uris: Type.Array(Type.String()),
	token_endpoint_auth_method: Type.Literal("none"),
	grant_types: Type.Array(Type.String()),
	response_types: Type.Array(Type.String()),
});

/** For the description of the API; errors are reported by the steps that check it. */
export const AuthorizeQuery = Type.Object({
	client_id: Type.String({ description: "A registered id, or the https address of a client metadata document" }),
	redirect_uri: Type.String({ description: "Exactly as registered" }),
	response_type: Type.Literal("code"),
	scope: text("`analytics:read`, and `offline_access` for a refresh token; separated by spaces"),
	state: text("Returned unchanged"),
	code_challenge: Type.String({ description: "SHA-256 of the verifier as base64url" }),
	code_challenge_method: Type.Literal("S256"),
	resource: text("Resource of the tokens: the address of the MCP server or of the REST API"),
});

export const TokenForm = Type.Object({
	grant_type: OneOf(["authorization_code", "refresh_token"]),
	client_id: Type.String(),
	code: text("With `authorization_code`"),
	code_verifier: text("With `authorization_code`"),
	redirect_uri: text("With `authorization_code`: as in the authorization request"),
	refresh_token: text("With `refresh_token`"),
	resource: text("The approved resource, or omitted"),
});

export const TokenAnswer = Type.Object({
	access_token: Type.String(),
	token_type: Type.Literal("Bearer"),
	expires_in: Type.Integer({ description: "Seconds" }),
	refresh_token: Type.Optional(Type.String({ description: "Only with `offline_access`" })),
	scope: Type.String(),
});

export const RevokeForm = Type.Object({
	token: Type.String(),
	token_type_hint: text("`access_token` or `refresh_token`; not needed"),
	client_id: text("The client that the token belongs to"),
});

const texts = () => Type.Array(Type.String());

export const AuthorizationServer = Type.Object({
	issuer: Type.String(),
	authorization_endpoint: Type.String(),
	token_endpoint: Type.String(),
	registration_endpoint: Type.String(),
	revocation_endpoint: Type.String(),
	response_types_supported: texts(),
	response_modes_supported: texts(),
	grant_types_supported: texts(),
	code_challenge_methods_supported: texts(),
	token_endpoint_auth_methods_supported: texts(),
	revocation_endpoint_auth_methods_supported: texts(),
	scopes_supported: texts(),
	authorization_response_iss_parameter_supported: Type.Boolean(),
	client_id_metadata_document_supported: Type.Boolean(),
	protected_resources: texts(),
});

export const ProtectedResource = Type.Object({
	resource: Type.String(),
	authorization_servers: texts(),
	scopes_supported: texts(),
	bearer_methods_supported: texts(),
	resource_name: Type.String(),
});

export const RequestParams = Type.Object({ request_id: Type.String() });

export const ConsentRequest = Type.Object({
	request_id: Type.String(),
	client: Type.Object({
		client_id: Type.String(),
		client_name: Type.String({ description: "Chosen by the author of the app" }),
		redirect_host: Type.String({ description: "Redirect target: a host, or the private scheme of an app" }),
	}),
	scopes: scopes(),
	resource: Nullable(Type.String(), { description: "Resource that the tokens will be bound to" }),
	expires_at: Timestamp(),
	user: Nullable(Type.Object({ id: Type.Integer(), email: Type.String() }), { description: "The signed-in user" }),
	sites: Type.Array(Type.Object({ id: Type.String(), name: Type.String() }), {
		description: "The user's active sites",
	}),
});

export const DecisionBody = Type.Object({
	decision: OneOf(["approve", "deny"]),
	site_id: Type.Optional(
		Type.String({ maxLength: 64, description: "The site that the app may read; required with `approve`" }),
	),
});

export const Decided = Type.Object({ redirect_to: Type.String({ description: "Address to send the browser to" }) });

export const OnboardingBody = Type.Object({
	request_id: Type.String({ minLength: 1, maxLength: 200 }),
	...RegisterBody.properties,
	site_name: Type.Optional(Type.String({ maxLength: 255, description: "Creates a site when given" })),
	domain: Type.Optional(Type.String({ maxLength: 255 })),
});

export const Onboarded = Registered;

export const GrantParams = Type.Object({ grant_id: Type.String({ format: "uuid" }) });

export const Connections = Type.Array(
	Type.Object({
		grant_id: Type.String(),
		client_id: Type.String(),
		client_name: Type.String(),
		site_id: Type.String(),
		scopes: scopes(),
		created_at: Timestamp(),
		last_used_at: Nullable(Timestamp()),
	}),
);
