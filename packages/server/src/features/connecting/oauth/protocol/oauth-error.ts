/** Every error code of the protocol routes with its status (RFC 6749, 4.1.2.1 and 5.2; RFC 7591, 3.2.2). */
export const oauthErrorCodes = {
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
