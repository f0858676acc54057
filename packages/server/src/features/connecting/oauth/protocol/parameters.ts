import type { OAuthAudience } from "../../../../access/index.ts";

/** Every error code of the protocol routes with its status (RFC 6749, 4.1.2.1 and 5.2; RFC 7591, 3.2.2). */
const oauthErrorCodes = {
	invalid_request: 400,
	invalid_client: 401,
	invalid_redirect_uri: 400,
	invalid_grant: 400,
	invalid_scope: 400,
	unsupported_response_type: 400,
	unsupported_grant_type: 400,
	access_denied: 403,
	server_error: 500,
	temporarily_unavailable: 503,
} as const;
export type OAuthErrorCode = keyof typeof oauthErrorCodes;

/** The error that the protocol routes throw; the description is public. */
export class OAuthError extends Error {
	readonly code: OAuthErrorCode;
	readonly status: number;
	/** Waiting does not help. */
	readonly retryAfter = undefined;

	constructor(code: OAuthErrorCode, description: string, status: number = oauthErrorCodes[code]) {
		super(describable(description));
		this.name = "OAuthError";
		this.code = code;
		this.status = status;
	}
}

/** A text in the characters that a description may have (RFC 6749, 5.2): no quotation marks, no backslash, nothing beyond ASCII. */
const describable = (text: string): string => text.replace(/["\\]/g, "'").replace(/[^\x20-\x7e]/g, "?");

/** The body of every answer that is not a success. */
export const oauthErrorBody = (code: OAuthErrorCode, description: string) => ({
	error: code,
	error_description: describable(description),
});

export const oauthScopes = ["analytics:read", "offline_access"] as const;
export type OAuthScope = (typeof oauthScopes)[number];

/** The only scope that opens anything: the approved site, for reading. */
export const READING: OAuthScope = "analytics:read";
/** Gives a refresh token beside the access token. */
export const OFFLINE: OAuthScope = "offline_access";

/** Requested scopes in canonical order, always including the reading one. Undefined if one is unknown. */
export function parseScopes(text: string | undefined): OAuthScope[] | undefined {
	const asked = (text ?? "").split(" ").filter((scope) => scope !== "");
	const known: readonly string[] = oauthScopes;
	if (!asked.every((scope) => known.includes(scope))) return undefined;
	return oauthScopes.filter((scope) => scope === READING || asked.includes(scope));
}

/** Scopes as they are stored and sent. */
export const scopeText = (scopes: readonly OAuthScope[]): string => scopes.join(" ");

export const storedScopes = (text: string): OAuthScope[] => parseScopes(text) ?? [READING];

/** The addresses that a token can be bound to (RFC 8707). */
export const resourceOf = (audience: OAuthAudience, rootUrl: string): string =>
	audience === "mcp" ? `${rootUrl}/mcp` : `${rootUrl}/api/v1`;

/** Audience of a resource indicator; undefined for any other address. */
export function audienceOf(resource: string, rootUrl: string): OAuthAudience | undefined {
	const audiences: readonly OAuthAudience[] = ["mcp", "api"];
	return audiences.find((audience) => resourceOf(audience, rootUrl) === resource);
}

/** Refuses a resource indicator other than the approved one (RFC 8707, 2.2); one that is left out is the approved one. */
export function checkSameResource(parameters: Parameters, approved: OAuthAudience | null, rootUrl: string): void {
	const resource = parameters.get("resource");
	if (resource === undefined || (approved !== null && audienceOf(resource, rootUrl) === approved)) return;
	throw new OAuthError("invalid_request", "resource is not the one that was approved");
}

/** The parameters of a protocol request, each as often as it was sent. */
export interface Parameters {
	/** The value of one that was sent once and is not empty (RFC 6749, 3.1: an empty one counts as left out). */
	get(name: string): string | undefined;
	/** Names of those that were sent more than once, which RFC 6749, 3.1 forbids. */
	readonly repeated: readonly string[];
}

/** Reads a query string or a form as it is, without the changes that other routes make to theirs. */
export function readParameters(text: string): Parameters {
	const all = new URLSearchParams(text);
	const isRepeated = (name: string) => all.getAll(name).length > 1;
	return {
		get: (name) => (isRepeated(name) ? undefined : all.get(name) || undefined),
		repeated: [...new Set(all.keys())].filter(isRepeated),
	};
}

/** A parameter that a request cannot do without; throws `invalid_request`. */
export function required(parameters: Parameters, name: string): string {
	const value = parameters.get(name);
	if (value === undefined) throw new OAuthError("invalid_request", `${name} must be given once`);
	return value;
}
