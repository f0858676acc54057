import type { Clock } from "../lib/clock.ts";
import { OutboundError, outboundError } from "./outbound-error.ts";

/** A request to a server that the operator names in the configuration. */
export interface OperatorRequest {
	readonly url: string;
	readonly method?: "GET" | "POST";
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: string;
	/** Milliseconds for the whole of it. */
	readonly timeoutMs: number;
	/** Bytes of the answer's body; a longer one is refused. */
	readonly maxBytes: number;
	readonly signal?: AbortSignal | undefined;
}

/** Its answer; redirects are answers like any other. */
export interface OperatorAnswer {
	readonly status: number;
	readonly headers: Headers;
	readonly body: string;
}

/**
 * Sends a request to an address of the operator, who may name a private one, and plain HTTP. Never one that a user had a say in:
 * those take the guarded way. Throws `OutboundError` when there is no answer.
 */
export async function sendToOperator(clock: Clock, request: OperatorRequest): Promise<OperatorAnswer> {
	const { url, method = "GET", headers = {}, body, timeoutMs, maxBytes, signal } = request;
	try {
		const answer = await fetch(url, {
			method,
			headers: { ...headers },
			...(body !== undefined && { body }),
			redirect: "manual",
			signal: clock.deadline(timeoutMs, signal),
		});
		return { status: answer.status, headers: answer.headers, body: await readBody(answer, maxBytes) };
	} catch (error) {
		throw signal?.aborted === true ? error : outboundError(error);
	}
}

async function readBody({ body }: Response, maxBytes: number): Promise<string> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	for await (const chunk of body ?? []) {
		size += chunk.length;
		if (size > maxBytes) throw new OutboundError("too_large");
		chunks.push(chunk);
	}
	return new TextDecoder().decode(Buffer.concat(chunks));
}
