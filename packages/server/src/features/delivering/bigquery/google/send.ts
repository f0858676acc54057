import type { Clock } from "../../../../platform/lib/clock.ts";
import { MINUTE_MS } from "../../../../platform/lib/durations.ts";
import { isRecord, parseJson } from "../../../../platform/lib/is-record.ts";

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

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

export function errorOfAnswer(status: number, body: unknown, retryAfter?: number): GoogleError {
	const said = isRecord(body) && isRecord(body.error) ? body.error : {};
	const [first] = Array.isArray(said.errors) ? said.errors : [];
	const message = textOf(said.message);
	const reason = textOf(isRecord(first) ? first.reason : undefined) || textOf(said.status) || `http ${status}`;
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

/** A request to one of the hosts that the service itself knows. */
export interface GoogleRequest {
	readonly url: string;
	readonly method?: "GET" | "POST" | "PUT" | "DELETE";
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: string | Uint8Array<ArrayBuffer>;
	/** Statuses that are answers beside 2xx. */
	readonly expects?: readonly number[];
	readonly signal?: AbortSignal | undefined;
}

/** An answer with its body as JSON, undefined when it has none. */
export interface GoogleAnswer {
	readonly status: number;
	readonly headers: Headers;
	readonly body: unknown;
}

const TIMEOUT_MS = MINUTE_MS;
const MAX_BYTES = 4 * 1024 ** 2;
const ATTEMPTS = 4;
/** Before the second attempt; each further one waits twice as long. */
const FIRST_PAUSE_MS = 200;
/** Longest wait of a half-sent file; the whole is retried later. */
const LONGEST_PAUSE_MS = 10_000;

/** Does something again when Google is busy or the line breaks, a few times: it must bear to be done twice. */
export async function patiently<T>(clock: Clock, work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
	for (let attempt = 1; ; attempt++) {
		try {
			return await work();
		} catch (error) {
			signal?.throwIfAborted();
			const wait = isPassing(error) && attempt < ATTEMPTS ? waitAfter(error, attempt) : undefined;
			if (wait === undefined) throw error;
			await clock.sleep(wait, signal);
		}
	}
}

function waitAfter({ retryAfter }: GoogleError, attempt: number): number | undefined {
	const own = FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
	const wait = Math.max(own, (retryAfter ?? 0) * 1000);
	return wait > LONGEST_PAUSE_MS ? undefined : wait;
}

/** Sends a request once, following no redirects. Throws `GoogleError` for what is no answer. */
export async function sendOnce(clock: Clock, request: GoogleRequest): Promise<GoogleAnswer> {
	const { url, method = "GET", headers = {}, body, expects = [], signal } = request;
	try {
		const answer = await fetch(url, {
			method,
			headers: { ...headers },
			redirect: "manual",
			signal: clock.deadline(TIMEOUT_MS, signal),
			...(body !== undefined && { body }),
		});
		const content = parseJson(await bodyOf(answer));
		if (answer.ok || expects.includes(answer.status)) {
			return { status: answer.status, headers: answer.headers, body: content };
		}
		throw errorOfAnswer(answer.status, content, secondsOf(answer.headers.get("retry-after")));
	} catch (error) {
		signal?.throwIfAborted();
		if (error instanceof GoogleError) throw error;
		throw new GoogleError("passing", "noAnswer", { detail: "BigQuery did not answer", cause: error });
	}
}

const secondsOf = (header: string | null): number | undefined =>
	header !== null && /^\d{1,5}$/.test(header) ? Number(header) : undefined;

async function bodyOf(answer: Response): Promise<string> {
	const pieces: Uint8Array[] = [];
	let size = 0;
	for await (const piece of answer.body ?? []) {
		size += piece.byteLength;
		if (size > MAX_BYTES) throw new GoogleError("invalid", "tooLarge", { detail: "The answer is too large" });
		pieces.push(piece);
	}
	return Buffer.concat(pieces).toString("utf8");
}
