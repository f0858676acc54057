import { type CodeFacts, type ErrorCode, errorCodes } from "./codes.ts";

/** One faulty field of a request; `field` is a dotted path such as `query.period`. */
export interface FieldError {
	readonly field: string;
	readonly message: string;
	readonly type: string;
}

interface ServiceErrorOptions {
	/** Public sentence; the code's own message when absent. */
	readonly message?: string;
	/** Faulty fields, for `validation_error`; else what a program can tell the refusal by. */
	readonly detail?: readonly FieldError[];
	/** Seconds for `Retry-After`; the code's own value when absent. */
	readonly retryAfter?: number;
	/** False where the service is well and refuses on purpose, so that there is nothing to log; the code's own value when absent. */
	readonly isOurs?: boolean;
	/** Private cause: logged for 5xx, never sent. */
	readonly cause?: unknown;
}

/** The error of the whole service; `platform/http` maps it to the error envelope in one place. */
export class ServiceError extends Error {
	readonly code: ErrorCode;
	readonly detail: readonly FieldError[] | undefined;
	readonly retryAfter: number | undefined;
	/** True where the service is at fault, not the request. */
	readonly isOurs: boolean;

	/** A text is the public sentence alone. */
	constructor(code: ErrorCode, given: string | ServiceErrorOptions = {}) {
		const known: CodeFacts = errorCodes[code];
		const options = typeof given === "string" ? { message: given } : given;
		super(options.message ?? known.message, { cause: options.cause });
		this.name = "ServiceError";
		this.code = code;
		this.detail = options.detail;
		this.retryAfter = options.retryAfter ?? known.retryAfter;
		this.isOurs = options.isOurs ?? known.isOurs ?? false;
	}
}

/** A 422 for one field that a schema cannot express. */
export function fieldError(field: string, message: string, type = "value_error"): ServiceError {
	return new ServiceError("validation_error", { detail: [{ field, message, type }] });
}

/** The value; throws this error where there is none. */
export function orThrow<T>(value: T | undefined, code: ErrorCode, message?: string): T {
	if (value === undefined) throw new ServiceError(code, message);
	return value;
}
