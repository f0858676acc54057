/** Facts of an error code. */
export interface CodeFacts {
	/** The HTTP status of the answer. */
	readonly status: number;
	/** Message used when the thrower gives none. */
	readonly message: string;
	/** Seconds after which another attempt may go well, where each failure of this code has them. */
	readonly retryAfter?: number;
	/** True where the service, not the request, is at fault. */
	readonly isOurs?: true;
}

/** All error codes of the service. */
export const errorCodes = {
	bad_request: { status: 400, message: "The request is malformed" },
	invalid_domain: { status: 400, message: "Not a valid hostname" },
	invalid_timezone: { status: 400, message: "Not an IANA time zone" },
	invalid_input: { status: 400, message: "A field failed validation" },
	unauthorized: { status: 401, message: "Authentication required" },
	missing_credentials: { status: 401, message: "Authentication required" },
	invalid_credentials: { status: 401, message: "Email or password is wrong" },
	token_expired: { status: 401, message: "Token has expired" },
	token_invalid: { status: 401, message: "Invalid token" },
	forbidden: { status: 403, message: "Not permitted" },
	insufficient_scope: { status: 403, message: "Not permitted" },
	email_not_verified: { status: 403, message: "Email address is not verified" },
	two_factor_required: { status: 403, message: "Two-factor authentication required" },
	csrf_failed: { status: 403, message: "CSRF token missing or mismatched" },
	not_found: { status: 404, message: "Not found" },
	account_not_found: { status: 404, message: "Account not found" },
	user_not_found: { status: 404, message: "User not found" },
	method_not_allowed: { status: 405, message: "Method not allowed" },
	conflict: { status: 409, message: "Conflicts with the current state" },
	duplicate_entry: { status: 409, message: "Already exists" },
	provision_unavailable: { status: 409, message: "Provisioning is not available" },
	rule_is_live: { status: 409, message: "The rule is live" },
	payload_too_large: { status: 413, message: "The request body is too large" },
	validation_error: { status: 422, message: "The request failed validation" },
	rate_limit_exceeded: { status: 429, message: "Too many requests", retryAfter: 60 },
	quota_exceeded: { status: 429, message: "Plan quota exhausted", retryAfter: 3600 },
	internal_error: { status: 500, message: "Internal error", isOurs: true },
	database_error: { status: 500, message: "A query failed", isOurs: true },
	bad_gateway: { status: 502, message: "Invalid answer from an upstream service", isOurs: true },
	database_unavailable: { status: 503, message: "The database is not reachable", isOurs: true, retryAfter: 30 },
	service_unavailable: { status: 503, message: "Service unavailable", isOurs: true, retryAfter: 3600 },
	gateway_timeout: { status: 504, message: "Timed out", isOurs: true },
} as const satisfies Record<string, CodeFacts>;

/** A code that clients branch on (`error.code`). */
export type ErrorCode = keyof typeof errorCodes;
