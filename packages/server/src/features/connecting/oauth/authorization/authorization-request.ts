import type { OAuthAudience } from "../../../../access/index.ts";
import { audienceOf } from "../protocol/audience.ts";
import { OAuthError } from "../protocol/oauth-error.ts";
import type { Parameters } from "../protocol/parameters.ts";
import { type OAuthScope, parseScopes } from "../protocol/scopes.ts";

/** An authorization request that nothing is wrong with, apart from its client and where its answer goes. */
export interface AuthorizationRequest {
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
export function readAuthorizationRequest(parameters: Parameters, rootUrl: string): AuthorizationRequest {
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
