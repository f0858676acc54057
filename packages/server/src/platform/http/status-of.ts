import type { ErrorCode } from "../errors/codes.ts";

/** The HTTP status of each code: the only place where a code meets a status. */
const statuses = {
	bad_request: 400,
	invalid_domain: 400,
	invalid_timezone: 400,
	invalid_input: 400,
	unauthorized: 401,
	missing_credentials: 401,
	invalid_credentials: 401,
	token_expired: 401,
	token_invalid: 401,
	forbidden: 403,
	insufficient_scope: 403,
	email_not_verified: 403,
	two_factor_required: 403,
	csrf_failed: 403,
	not_found: 404,
	account_not_found: 404,
	user_not_found: 404,
	method_not_allowed: 405,
	conflict: 409,
	duplicate_entry: 409,
	provision_unavailable: 409,
	rule_is_live: 409,
	payload_too_large: 413,
	validation_error: 422,
	rate_limit_exceeded: 429,
	quota_exceeded: 429,
	internal_error: 500,
	database_error: 500,
	bad_gateway: 502,
	database_unavailable: 503,
	service_unavailable: 503,
	gateway_timeout: 504,
} as const satisfies Record<ErrorCode, number>;

/** The HTTP status that an error with this code is answered with. */
export const statusOf = (code: ErrorCode): number => statuses[code];
