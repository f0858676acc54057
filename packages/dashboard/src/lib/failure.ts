/** A fault of one field: `body.name`, `query.period`. */
interface FieldFault {
	readonly field: string;
	readonly message: string;
}

/** A failed call; `code` is the API's, or `offline` without an answer. */
export class Failure extends Error {
	readonly status: number;
	readonly code: string;
	readonly detail: readonly FieldFault[];
	readonly requestId: string | undefined;
	/** Seconds until the next try makes sense. */
	readonly retryAfter: number | undefined;

	constructor(
		message: string,
		about: {
			status: number;
			code: string;
			detail?: readonly FieldFault[];
			requestId?: string | undefined;
			retryAfter?: number | undefined;
		},
	) {
		super(message);
		this.name = "Failure";
		this.status = about.status;
		this.code = about.code;
		this.detail = about.detail ?? [];
		this.requestId = about.requestId;
		this.retryAfter = about.retryAfter;
	}
}

interface ErrorBody {
	readonly error?: { readonly code?: string; readonly message?: string; readonly detail?: readonly FieldFault[] };
	readonly request_id?: string;
}

/** The error of a response. */
export async function failureOf(response: Response): Promise<Failure> {
	const body = (await response.json().catch(() => ({}))) as ErrorBody;
	const wait = Number(response.headers.get("retry-after"));
	return new Failure(body.error?.message ?? `HTTP ${response.status}`, {
		status: response.status,
		code: body.error?.code ?? "internal_error",
		detail: body.error?.detail ?? [],
		requestId: body.request_id,
		retryAfter: wait > 0 ? wait : undefined,
	});
}

/** Any thrown thing as a failure. */
export const asFailure = (error: unknown): Failure =>
	error instanceof Failure
		? error
		: new Failure(error instanceof Error ? error.message : String(error), { status: 0, code: "internal_error" });

/**
 * Puts failures that the API names by a code at the field of the body that they are about, in words of the screen:
 * `call(…).catch(atField({ duplicate_entry: ["domain", t.taken] }))`. All others stay as they are.
 */
export const atField =
	(fields: Readonly<Record<string, readonly [field: string, message: string]>>) =>
	(error: unknown): never => {
		const { code, status, message } = asFailure(error);
		const found = fields[code];
		if (found === undefined) throw error;
		const [field, words] = found;
		throw new Failure(message, {
			status,
			code: "validation_error",
			detail: [{ field: `body.${field}`, message: words }],
		});
	};
