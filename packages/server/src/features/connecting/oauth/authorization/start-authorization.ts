import type { OAuthAudience } from "../../../../access/index.ts";
import { MINUTE_MS } from "../../../../platform/lib/durations.ts";
import { randomToken } from "../../../../platform/lib/ids.ts";
import { isFreePortOf, type OAuthClient, withAnswer } from "../clients/client.ts";
import { type ClientDocuments, findClient, isDocumentAddress } from "../clients/find-client.ts";
import { requestHash } from "../consent/decide.ts";
import type { OAuthDeps } from "../deps.ts";
import {
	audienceOf,
	OAuthError,
	type OAuthScope,
	type Parameters,
	parseScopes,
	scopeText,
} from "../protocol/parameters.ts";
import { insertRequest } from "../store.ts";

/** An authorization request that nothing is wrong with, apart from its client and where its answer goes. */
interface AuthorizationRequest {
	readonly scopes: readonly OAuthScope[];
	readonly codeChallenge: string;
	readonly audience: OAuthAudience | null;
}

interface Given {
	readonly parameters: Parameters;
	readonly rootUrl: string;
}

/** SHA-256 as base64url: 43 characters, whatever the verifier (RFC 7636, 4.2). */
const S256_CHALLENGE = /^[A-Za-z0-9_-]{43}$/;
const MAX_STATE = 2000;

/** One rule each, in the order in which they are reported; from here on errors go to the app. */
const checks: readonly ((given: Given) => void)[] = [
	noParameterTwice,
	storableState,
	codeResponse,
	queryResponseMode,
	challengePresent,
	challengeByS256,
	knownScopes,
	knownResource,
];

/** Checks a request; throws the first `OAuthError` that applies. */
function readAuthorizationRequest(parameters: Parameters, rootUrl: string): AuthorizationRequest {
	const given = { parameters, rootUrl };
	for (const check of checks) check(given);
	const resource = parameters.get("resource");
	return {
		scopes: parseScopes(parameters.get("scope")) ?? [],
		codeChallenge: parameters.get("code_challenge") ?? "",
		audience: resource === undefined ? null : (audienceOf(resource, rootUrl) ?? null),
	};
}

/** RFC 6749, 3.1. */
function noParameterTwice({ parameters }: Given): void {
	const [name] = parameters.repeated;
	if (name !== undefined) throw new OAuthError("invalid_request", "A parameter was sent more than once");
}

/** RFC 6749, appendix A.5, but for characters beyond ASCII, which do no harm. */
function storableState({ parameters }: Given): void {
	const state = parameters.get("state") ?? "";
	if (state.length <= MAX_STATE && !/\p{Cc}/u.test(state)) return;
	throw new OAuthError("invalid_request", `state must have up to ${MAX_STATE} characters, and no control characters`);
}

/** OAuth 2.1 has no other. */
function codeResponse({ parameters }: Given): void {
	const type = parameters.get("response_type");
	if (type === undefined) throw new OAuthError("invalid_request", "response_type is missing");
	if (type !== "code") throw new OAuthError("unsupported_response_type", "response_type must be code");
}

function queryResponseMode({ parameters }: Given): void {
	if ((parameters.get("response_mode") ?? "query") === "query") return;
	throw new OAuthError("invalid_request", "response_mode must be query");
}

/** OAuth 2.1, 4.1.1: without it, a code that leaks could be used by anybody. */
function challengePresent({ parameters }: Given): void {
	const challenge = parameters.get("code_challenge");
	if (challenge === undefined) throw new OAuthError("invalid_request", "code_challenge is missing");
	if (S256_CHALLENGE.test(challenge)) return;
	throw new OAuthError("invalid_request", "code_challenge must have 43 characters of base64url");
}

/** A method that is left out would mean `plain` (RFC 7636, 4.3), which protects nothing. */
function challengeByS256({ parameters }: Given): void {
	if (parameters.get("code_challenge_method") === "S256") return;
	throw new OAuthError("invalid_request", "code_challenge_method must be S256");
}

function knownScopes({ parameters }: Given): void {
	if (parseScopes(parameters.get("scope")) !== undefined) return;
	throw new OAuthError("invalid_scope", "scope may have analytics:read and offline_access");
}

/** RFC 8707, 2. */
function knownResource({ parameters, rootUrl }: Given): void {
	const resource = parameters.get("resource");
	if (resource === undefined || audienceOf(resource, rootUrl) !== undefined) return;
	throw new OAuthError("invalid_request", "resource is not served here");
}

const REQUEST_LIFE_MS = 30 * MINUTE_MS;

const CONSENT_PATH = "/oauth/consent";

/**
 * Takes an authorization request; answers where the browser goes: to the question for the user, or back to the app with an
 * error. Throws `OAuthError` while it is not sure that the address to go back to belongs to the app.
 */
export async function startAuthorization(
	deps: OAuthDeps & { readonly documents: ClientDocuments },
	parameters: Parameters,
): Promise<string> {
	const client = await requestingClient(deps, parameters);
	const redirectUri = registeredRedirectUri(client, parameters);
	const state = parameters.get("state");
	try {
		const { scopes, codeChallenge, audience } = readAuthorizationRequest(parameters, deps.rootUrl);
		const requestId = randomToken();
		const now = deps.clock.now();
		const row = {
			id_hash: requestHash(requestId),
			client_id: client.id,
			client_name: client.name,
			redirect_uri: redirectUri,
			scopes: scopeText(scopes),
			state: state ?? null,
			code_challenge: codeChallenge,
			audience,
			created_at: now,
			expires_at: now + REQUEST_LIFE_MS,
			decided_at: null,
		};
		await insertRequest(deps.metadata, row);
		return `${deps.rootUrl}${CONSENT_PATH}?request_id=${requestId}`;
	} catch (error) {
		if (!(error instanceof OAuthError)) throw error;
		const fault = { error: error.code, error_description: error.message };
		return withAnswer(redirectUri, { ...fault, state, iss: deps.rootUrl });
	}
}

/** A browser is answered with a page, so an unknown client is 400 here and not 401. */
async function requestingClient(
	deps: OAuthDeps & { readonly documents: ClientDocuments },
	parameters: Parameters,
): Promise<OAuthClient> {
	const clientId = parameters.get("client_id");
	if (clientId === undefined) throw new OAuthError("invalid_request", "client_id must be given once");
	return findClient(deps, clientId).catch((error: unknown) => {
		throw error instanceof OAuthError ? new OAuthError(error.code, error.message, 400) : error;
	});
}

/**
 * The same text as one that the app registered (OAuth 2.1, 2.3): no prefix, no other port, no other case. Only a document, which
 * is one for all users of an app, cannot know which port will be free on loopback: there one without a port stands for any.
 */
function registeredRedirectUri(client: OAuthClient, parameters: Parameters): string {
	const redirectUri = parameters.get("redirect_uri");
	if (redirectUri === undefined) throw new OAuthError("invalid_request", "redirect_uri must be given once");
	if (client.redirectUris.includes(redirectUri)) return redirectUri;
	const isDescribed = isDocumentAddress(client.id);
	if (isDescribed && client.redirectUris.some((uri) => isFreePortOf(uri, redirectUri))) return redirectUri;
	throw new OAuthError("invalid_redirect_uri", "redirect_uri is not one that the client registered");
}
