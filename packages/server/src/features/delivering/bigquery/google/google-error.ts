/**
 * Meaning of a refusal by Google. `passing`: temporary; `key`: the key is invalid; `refused`: the key is valid but
 * lacks permission; `missing` and `exists`: the named resource; `invalid`: all else, a retry would fail as well.
 */
type GoogleFault = "passing" | "key" | "refused" | "missing" | "exists" | "invalid";

const MAX_LENGTH = 300;

export class GoogleError extends Error {
	override readonly name = "GoogleError";
	readonly fault: GoogleFault;
	/** Google's message, for the owners of the integration: it may name their account and their project. */
	readonly detail: string;
	/** Seconds after which Google wants to be asked again. */
	readonly retryAfter: number | undefined;

	/** `reason` is a word of Google's such as `rateLimitExceeded`: fit for the log. */
	constructor(
		fault: GoogleFault,
		reason: string,
		{ detail = reason, retryAfter, cause }: { detail?: string; retryAfter?: number | undefined; cause?: unknown } = {},
	) {
		super(`BigQuery: ${/^[\w. -]{1,60}$/.test(reason) ? reason : "error"}`, { cause });
		this.fault = fault;
		this.detail = detail.replaceAll(/\p{Cc}+/gu, " ").slice(0, MAX_LENGTH);
		this.retryAfter = retryAfter;
	}
}

/** The error of an aborted request is none of Google's. */
export const isPassing = (error: unknown): error is GoogleError =>
	error instanceof GoogleError && error.fault === "passing";

const passingReasons: ReadonlySet<string> = new Set([
	"rateLimitExceeded",
	"jobRateLimitExceeded",
	"quotaExceeded",
	"backendError",
	"internalError",
	"jobBackendError",
	"jobInternalError",
	"tableUnavailable",
	"timeout",
]);

/** Statements of two sites on one table may come into each other's way. */
const collision = /could not serialize access|concurrent (update|transaction)|too many DML statements/i;

/** Meaning of BigQuery's reason and message; undefined if the status decides. */
function faultOfReason(reason: string, message: string): GoogleFault | undefined {
	if (passingReasons.has(reason) || collision.test(message)) return "passing";
	if (reason === "accessDenied" || reason === "billingNotEnabled" || reason === "blocked") return "refused";
	if (reason === "notFound") return "missing";
	if (reason === "duplicate") return "exists";
	return undefined;
}

const faultsOfStatus: Readonly<Record<number, GoogleFault>> = {
	401: "refused",
	403: "refused",
	404: "missing",
	408: "passing",
	409: "exists",
	429: "passing",
};

interface ErrorBody {
	readonly error?: {
		readonly message?: unknown;
		readonly status?: unknown;
		readonly errors?: readonly { readonly reason?: unknown }[];
	};
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

export function errorOfAnswer(status: number, body: unknown, retryAfter?: number): GoogleError {
	const { error } = (typeof body === "object" && body !== null ? body : {}) as ErrorBody;
	const said = typeof error === "object" ? error : {};
	const message = textOf(said.message);
	const reason = textOf(said.errors?.[0]?.reason) || textOf(said.status) || `http ${status}`;
	const byStatus = faultsOfStatus[status] ?? (status >= 500 ? "passing" : "invalid");
	return new GoogleError(faultOfReason(reason, message) ?? byStatus, reason, {
		detail: message || `BigQuery answered ${status}`,
		retryAfter,
	});
}

export function errorOfJob({ reason, message }: { readonly reason?: string; readonly message?: string }): GoogleError {
	const why = reason ?? "jobFailed";
	return new GoogleError(faultOfReason(why, message ?? "") ?? "invalid", why, { detail: message ?? why });
}
