/** Error of one field of a request. */
export interface FieldFault {
	/** Its dotted path: `query.period`. */
	readonly field: string;
	readonly message: string;
	readonly type: string;
}

interface Facts {
	readonly code: string;
	readonly status?: number | undefined;
	readonly detail?: readonly FieldFault[] | undefined;
	readonly requestId?: string | undefined;
	readonly retryAfterSeconds?: number | undefined;
	readonly cause?: unknown;
}

/**
 * Errors of a call: refusals of the service by their code, and the client's own `offline` (no answer came), `timeout`
 * (none came in time), `unexpected_answer` (it is none of this service) and `bad_signature`.
 */
export class FootfallError extends Error {
	override readonly name = "FootfallError";
	/** Stable; branch on it. */
	readonly code: string;
	/** Status of the answer; 0 where there was none. */
	readonly status: number;
	/** The faulty fields, where the service names some. */
	readonly detail: readonly FieldFault[];
	/** Finds the request in the service's log. */
	readonly requestId: string | undefined;
	/** For how long the service asks to wait. */
	readonly retryAfterSeconds: number | undefined;

	constructor(message: string, { code, status = 0, detail = [], requestId, retryAfterSeconds, cause }: Facts) {
		super(message, cause === undefined ? undefined : { cause });
		this.code = code;
		this.status = status;
		this.detail = detail;
		this.requestId = requestId;
		this.retryAfterSeconds = retryAfterSeconds;
	}
}

interface Envelope {
	readonly error?: { readonly code?: unknown; readonly message?: unknown; readonly detail?: unknown };
	readonly request_id?: unknown;
}

/** The error of a response. A proxy in between may have answered with a page of its own. */
export async function errorOf(response: Response): Promise<FootfallError> {
	const { status, statusText, headers } = response;
	const text = await response.text().catch(() => "");
	const { error, request_id } = parsed(text);
	const named = textOf(request_id) ?? headers.get("X-Request-ID") ?? undefined;
	const facts = { status, requestId: named, retryAfterSeconds: retryAfterOf(headers) };
	const code = textOf(error?.code);
	if (code === undefined)
		return new FootfallError(`The answer is ${status} ${statusText}`.trim(), { ...facts, code: "unexpected_answer" });
	const detail = Array.isArray(error?.detail) ? (error.detail as readonly FieldFault[]) : [];
	const fields = detail.map(({ field, message }) => `${field}: ${message}`).join("; ");
	const message = textOf(error?.message) ?? code;
	return new FootfallError(fields === "" ? message : `${message}: ${fields}`, { ...facts, code, detail });
}

function parsed(text: string): Envelope {
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === "object" && value !== null ? value : {};
	} catch {
		return {};
	}
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** Seconds, or a date (RFC 9110, 10.2.3). */
function retryAfterOf(headers: Headers): number | undefined {
	const text = headers.get("Retry-After");
	if (text === null) return undefined;
	if (/^\d+$/.test(text.trim())) return Number(text);
	const seconds = Math.ceil((Date.parse(text) - Date.now()) / 1000);
	return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
