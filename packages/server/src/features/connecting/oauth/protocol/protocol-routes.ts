import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { Guard } from "../../../../access/index.ts";
import type { ServiceError } from "../../../../platform/errors/service-error.ts";
import type { App } from "../../../../platform/http/app.ts";
import { statusOf } from "../../../../platform/http/error-answers.ts";
import { receiveError } from "../../../../platform/http/error-handler.ts";
import { html } from "../../../../platform/http/pages/html.ts";
import { type Page, sendPage } from "../../../../platform/http/pages/page.ts";
import { hourly, minutelyAlone } from "../../../../platform/http/rate-limit/route-limit.ts";
import { OneOf } from "../../../../platform/http/schemas.ts";
import { startAuthorization } from "../authorization/start-authorization.ts";
import { RegisteredClient, registerClient } from "../clients/client.ts";
import { createClientDocuments } from "../clients/find-client.ts";
import type { OAuthClientDeps, OAuthDeps } from "../deps.ts";
import { revokeToken } from "../grants/end-grant.ts";
import { exchangeCode, IssuedTokens, refreshGrant } from "../token/redeem.ts";
import {
	OAuthError,
	type OAuthErrorCode,
	oauthErrorBody,
	type Parameters,
	readParameters,
	required,
} from "./parameters.ts";

const text = (description: string) => Type.Optional(Type.String({ description }));

/** Every answer of the protocol that is not a success. */
const OAuthFault = Type.Object({
	error: Type.String({ description: "RFC 6749 code; branch on it" }),
	error_description: Type.String(),
});

const RegisterClientBody = Type.Object({
	redirect_uris: Type.Array(Type.String(), {
		minItems: 1,
		maxItems: 10,
		description: "https, http on loopback, or a private-use scheme; no fragment",
	}),
	client_name: Type.Optional(Type.String({ maxLength: 255, default: "MCP client" })),
	token_endpoint_auth_method: Type.Optional(Type.Literal("none")),
});

/** For the description of the API; errors are reported by the steps that check it. */
const AuthorizeQuery = Type.Object({
	client_id: Type.String({ description: "A registered id, or the https address of a client metadata document" }),
	redirect_uri: Type.String({ description: "Exactly as registered" }),
	response_type: Type.Literal("code"),
	scope: text("`analytics:read`, and `offline_access` for a refresh token; separated by spaces"),
	state: text("Returned unchanged"),
	code_challenge: Type.String({ description: "SHA-256 of the verifier as base64url" }),
	code_challenge_method: Type.Literal("S256"),
	resource: text("Resource of the tokens: the address of the MCP server or of the REST API"),
});

const TokenForm = Type.Object({
	grant_type: OneOf(["authorization_code", "refresh_token"]),
	client_id: Type.String(),
	code: text("With `authorization_code`"),
	code_verifier: text("With `authorization_code`"),
	redirect_uri: text("With `authorization_code`: as in the authorization request"),
	refresh_token: text("With `refresh_token`"),
	resource: text("The approved resource, or omitted"),
});

const RevokeForm = Type.Object({
	token: Type.String(),
	token_type_hint: text("`access_token` or `refresh_token`; not needed"),
	client_id: text("The client that the token belongs to"),
});

const grantTypes: Readonly<Record<string, typeof refreshGrant>> = {
	authorization_code: exchangeCode,
	refresh_token: refreshGrant,
};

/** Gives out tokens for a code or a refresh token. Throws `OAuthError`. */
async function answerTokenRequest(deps: OAuthDeps, request: FastifyRequest): Promise<IssuedTokens> {
	const parameters = formOf(request);
	// RFC 6749, 2.3.1: apps have no secret here, so there is none that this header could prove.
	if (request.headers.authorization !== undefined)
		throw new OAuthError("invalid_client", "Clients do not authenticate with a header");
	if (parameters.repeated.length > 0) throw new OAuthError("invalid_request", "A parameter was sent more than once");
	const type = required(parameters, "grant_type");
	const answer = Object.hasOwn(grantTypes, type) ? grantTypes[type] : undefined;
	if (answer === undefined) throw new OAuthError("unsupported_grant_type", "grant_type is not supported");
	return answer(deps, parameters, request.ip);
}

/** Answers whatever fails in a scope in the form of RFC 6749; OAuth faults as a page where somebody looks at them, if `pages`. */
function answerOAuthErrors(scope: App, { pages = false }: { readonly pages?: boolean } = {}): void {
	scope.setErrorHandler((error: unknown, request, reply) => {
		if (error instanceof OAuthError && pages && request.headers.accept?.includes("text/html")) {
			return sendPage(reply, error.status, faultPage(error));
		}
		const { status, code, message, retryAfter } =
			error instanceof OAuthError ? error : told(receiveError(error, request));
		// RFC 9110, 11.6.1: a 401 names a challenge; there is no secret that would meet it.
		if (status === 401) reply.header("www-authenticate", 'Basic realm="clients are public"');
		if (retryAfter !== undefined) reply.header("retry-after", String(retryAfter));
		return reply.code(status).type("application/json; charset=utf-8").send(oauthErrorBody(code, message));
	});
}

/** A request that is too much or that cannot be read is an invalid one, with the status that says why. */
function told(error: ServiceError) {
	const { message, retryAfter } = error;
	const status = statusOf(error.code);
	const unavailable = status === 503 ? "temporarily_unavailable" : "server_error";
	const code: OAuthErrorCode = status < 500 ? "invalid_request" : unavailable;
	return { status, code, message, retryAfter };
}

/** For somebody whom the link of an app led here. */
const faultPage = (error: OAuthError): Page => ({
	title: "The app cannot be connected",
	body: html`<p>Its request is not valid: ${error.message}.</p>
<p>Go back to the app and connect it again. If that does not help, report this to its developer: <code>${error.code}</code>.</p>`,
});

const tags = ["Connections"];
const open: Guard = { kind: "public" };
const MAX_BODY_BYTES = 64 * 1024;

const faults = (...statuses: readonly number[]) =>
	Object.fromEntries([...statuses, 413, 429, 500, 503].map((status) => [status, OAuthFault]));

/** The routes that apps call, in a scope of their own: they check and answer as the RFCs say, not as the rest of the API. */
export function registerProtocol(app: App, deps: OAuthClientDeps): void {
	app.register(async (plugin) => {
		const scope = plugin as App;
		answerOAuthErrors(scope);
		// The schemas describe; the named steps check, so that each fault gets the code that its RFC gives it.
		scope.setValidatorCompiler(() => (data: unknown) => ({ value: data }));
		registerRegistration(scope, deps);
		scope.register(async (browsers) => {
			answerOAuthErrors(browsers as App, { pages: true });
			registerAuthorize(browsers as App, deps);
		});
		scope.register(async (forms) => {
			takeForms(forms as App);
			registerTokens(forms as App, deps);
		});
	});
}

function registerRegistration(app: App, deps: OAuthClientDeps): void {
	app.route({
		method: "POST",
		url: "/oauth/register",
		bodyLimit: MAX_BODY_BYTES,
		schema: {
			tags,
			summary: "Register an app (RFC 7591)",
			body: RegisterClientBody,
			response: { 201: RegisteredClient, ...faults(400) },
		},
		config: { guard: open, limit: hourly("oauth-register", 10) },
		handler: async (request, reply) => reply.code(201).send(await registerClient(deps, request.body)),
	});
}

function registerAuthorize(app: App, deps: OAuthClientDeps): void {
	const documents = createClientDocuments(deps);
	app.route({
		method: "GET",
		url: "/oauth/authorize",
		schema: {
			"x-headers": ["Location"],
			tags,
			summary: "Ask the user to authorize an app for one site",
			querystring: AuthorizeQuery,
			response: {
				302: { description: "To the consent page, or back to the app with an error", type: "null" },
				...faults(400),
			},
		},
		config: { guard: open, limit: minutelyAlone("oauth-authorize", 60) },
		handler: async (request, reply) => {
			const query = request.raw.url?.split("?").slice(1).join("?") ?? "";
			return reply.redirect(await startAuthorization({ ...deps, documents }, readParameters(query)), 302);
		},
	});
}

function registerTokens(app: App, deps: OAuthClientDeps): void {
	app.route({
		method: "POST",
		url: "/oauth/token",
		bodyLimit: MAX_BODY_BYTES,
		schema: {
			tags,
			summary: "Exchange a code or a refresh token for tokens",
			consumes: ["application/x-www-form-urlencoded"],
			body: TokenForm,
			response: { 200: IssuedTokens, ...faults(400, 401) },
		},
		config: { guard: open, limit: minutelyAlone("oauth-token", 60) },
		handler: async (request, reply) => {
			const issued = await answerTokenRequest(deps, request);
			reply.header("cache-control", "no-store").header("pragma", "no-cache");
			return issued;
		},
	});
	app.route({
		method: "POST",
		url: "/oauth/revoke",
		bodyLimit: MAX_BODY_BYTES,
		schema: {
			tags,
			summary: "Revoke a token; a refresh token revokes the whole grant",
			consumes: ["application/x-www-form-urlencoded"],
			body: RevokeForm,
			response: { 200: { description: "Any body", type: "object" }, ...faults(400) },
		},
		config: { guard: open, limit: minutelyAlone("oauth-revoke", 60) },
		handler: async (request) => {
			await revokeToken(deps, formOf(request), request.ip);
			return {};
		},
	});
}

/** RFC 6749, 3.2: forms, and nothing else. */
function takeForms(app: App): void {
	app.removeAllContentTypeParsers();
	app.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (_request, body, done) =>
		done(null, readParameters(String(body))),
	);
}

/** A form without a body is an empty one. */
const formOf = ({ body }: FastifyRequest): Parameters => (body as Parameters | null | undefined) ?? readParameters("");
