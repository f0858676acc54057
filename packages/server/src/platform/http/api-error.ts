import { type ErrorCodeName, errorCodes } from "./error-codes.ts";

/** One faulty field of a request; `field` is a dotted path such as `query.period`. */
export interface FieldError {
	readonly field: string;
	readonly message: string;
	readonly type: string;
}

interface ApiErrorOptions {
	/** Public sentence; the code's own message when absent. */
	readonly message?: string;
	/** Faulty fields, for `validation_error`. */
	readonly detail?: readonly FieldError[];
	/** Seconds for `Retry-After`; the code's own value when absent. */
	readonly retryAfter?: number;
	/** Private cause: logged for 5xx, never sent. */
	readonly cause?: unknown;
}

/** The error that features throw; `platform/http` maps it to the error envelope in one place. */
export class ApiError extends Error {
	readonly code: ErrorCodeName;
	readonly status: number;
	readonly detail: readonly FieldError[] | undefined;
	readonly retryAfter: number | undefined;

	constructor(code: ErrorCodeName, options: ApiErrorOptions = {}) {
		const known: { status: number; message: string; retryAfter?: number } = errorCodes[code];
		super(options.message ?? known.message, { cause: options.cause });
		this.name = "ApiError";
		this.code = code;
		this.status = known.status;
		this.detail = options.detail;
		this.retryAfter = options.retryAfter ?? known.retryAfter;
	}
}

/** A 422 for one field that a schema cannot express. */
export function fieldError(field: string, message: string, type = "value_error"): ApiError {
	return new ApiError("validation_error", { detail: [{ field, message, type }] });
}
