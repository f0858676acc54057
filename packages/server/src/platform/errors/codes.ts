/** Facts of an error code. */
export interface CodeFacts {
	/** Message used when the thrower gives none. */
	readonly message: string;
	/** Seconds after which another attempt may go well, where each failure of this code has them. */
	readonly retryAfter?: number;
	/** True where the service, not the request, is at fault. */
	readonly isOurs?: true;
}

/** All error codes of the service. Their HTTP status: `platform/http/status-of.ts`. */
export const errorCodes = {
	bad_request: { message: "The request is malformed" },
	invalid_domain: { message: "Not a valid hostname" },
	invalid_timezone: { message: "Not an IANA time zone" },
	invalid_input: { message: "A field failed validation" },
	unauthorized: { message: "Authentication required" },
	missing_credentials: { message: "Authentication required" },
	invalid_credentials: { message: "Email or password is wrong" },
	token_expired: { message: "Token has expired" },
	token_invalid: { message: "Invalid token" },
	forbidden: { message: "Not permitted" },
	insufficient_scope: { message: "Not permitted" },
	email_not_verified: { message: "Email address is not verified" },
	two_factor_required: { message: "Two-factor authentication required" },
	csrf_failed: { message: "CSRF token missing or mismatched" },
	not_found: { message: "Not found" },
	account_not_found: { message: "Account not found" },
	user_not_found: { message: "User not found" },
	method_not_allowed: { message: "Method not allowed" },
	conflict: { message: "Conflicts with the current state" },
	duplicate_entry: { message: "Already exists" },
	provision_unavailable: { message: "Provisioning is not available" },
	rule_is_live: { message: "The rule is live" },
	payload_too_large: { message: "The request body is too large" },
	validation_error: { message: "The request failed validation" },
	rate_limit_exceeded: { message: "Too many requests", retryAfter: 60 },
	quota_exceeded: { message: "Plan quota exhausted", retryAfter: 3600 },
	internal_error: { message: "Internal error", isOurs: true },
	database_error: { message: "A query failed", isOurs: true },
	bad_gateway: { message: "Invalid answer from an upstream service", isOurs: true },
	database_unavailable: { message: "The database is not reachable", isOurs: true, retryAfter: 30 },
	service_unavailable: { message: "Service unavailable", isOurs: true, retryAfter: 3600 },
	gateway_timeout: { message: "Timed out", isOurs: true },
} as const satisfies Record<string, CodeFacts>;

/** A code that clients branch on (`error.code`). */
export type ErrorCode = keyof typeof errorCodes;
