import type { Clock } from "../../../../platform/lib/clock.ts";
import { MINUTE_MS } from "../../../../platform/lib/durations.ts";
import { errorOfAnswer, GoogleError, isPassing } from "./google-error.ts";

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

/** An answer with its body as JSON, null when it has none. */
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

/** Milliseconds before another attempt; undefined when that is too long. */
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
		const content = jsonOf(await textOf(answer));
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

async function textOf(answer: Response): Promise<string> {
	const pieces: Uint8Array[] = [];
	let size = 0;
	for await (const piece of answer.body ?? []) {
		size += piece.byteLength;
		if (size > MAX_BYTES) throw new GoogleError("invalid", "tooLarge", { detail: "The answer is too large" });
		pieces.push(piece);
	}
	return Buffer.concat(pieces).toString("utf8");
}

function jsonOf(text: string): unknown {
	try {
		return text === "" ? null : JSON.parse(text);
	} catch {
		return null;
	}
}
