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
	type OAuthErrorCode,
	type Parameters,
	parseScopes,
	scopeText,
} from "../protocol/parameters.ts";
import { requests } from "../store.ts";

/** SHA-256 as base64url: 43 characters, whatever the verifier (RFC 7636, 4.2). */
const S256_CHALLENGE = /^[A-Za-z0-9_-]{43}$/;
const MAX_STATE = 2000;

type Fault = readonly [code: OAuthErrorCode, message: string, isAt: (given: Parameters, rootUrl: string) => boolean];

/** Faults of a request in the order in which they are reported; from here on errors go to the app. */
const faults: readonly Fault[] = [
	// RFC 6749, 3.1.
	["invalid_request", "A parameter was sent more than once", ({ repeated }) => repeated.length > 0],
	// RFC 6749, appendix A.5, but for characters beyond ASCII, which do no harm.
	[
		"invalid_request",
		`state must have up to ${MAX_STATE} characters, and no control characters`,
		({ get }) => (get("state") ?? "").length > MAX_STATE || /\p{Cc}/u.test(get("state") ?? ""),
	],
	["invalid_request", "response_type is missing", ({ get }) => get("response_type") === undefined],
	// OAuth 2.1 has no other.
	["unsupported_response_type", "response_type must be code", ({ get }) => get("response_type") !== "code"],
	["invalid_request", "response_mode must be query", ({ get }) => (get("response_mode") ?? "query") !== "query"],
	// OAuth 2.1, 4.1.1: without it, a code that leaks could be used by anybody.
	["invalid_request", "code_challenge is missing", ({ get }) => get("code_challenge") === undefined],
	[
		"invalid_request",
		"code_challenge must have 43 characters of base64url",
		({ get }) => !S256_CHALLENGE.test(get("code_challenge") ?? ""),
	],
	// A method that is left out would mean `plain` (RFC 7636, 4.3), which protects nothing.
	["invalid_request", "code_challenge_method must be S256", ({ get }) => get("code_challenge_method") !== "S256"],
	[
		"invalid_scope",
		"scope may have analytics:read and offline_access",
		({ get }) => parseScopes(get("scope")) === undefined,
	],
	// RFC 8707, 2.
	[
		"invalid_request",
		"resource is not served here",
		({ get }, rootUrl) => get("resource") !== undefined && audienceIn(get("resource"), rootUrl) === null,
	],
];

const audienceIn = (resource: string | undefined, rootUrl: string): OAuthAudience | null =>
	resource === undefined ? null : (audienceOf(resource, rootUrl) ?? null);

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
		for (const [code, message, isAt] of faults) {
			if (isAt(parameters, deps.rootUrl)) throw new OAuthError(code, message);
		}
		const requestId = randomToken();
		const now = deps.clock.now();
		await requests.insert(deps.metadata, {
			id_hash: requestHash(requestId),
			client_id: client.id,
			client_name: client.name,
			redirect_uri: redirectUri,
			scopes: scopeText(parseScopes(parameters.get("scope")) ?? []),
			state: state ?? null,
			code_challenge: parameters.get("code_challenge") ?? "",
			audience: audienceIn(parameters.get("resource"), deps.rootUrl),
			created_at: now,
			expires_at: now + REQUEST_LIFE_MS,
		});
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
