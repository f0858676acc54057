import type { Clock } from "../lib/clock.ts";
import type { OutboundAnswer, OutboundRequest } from "./guarded-fetch.ts";
import { OutboundError, outboundError } from "./outbound-error.ts";

/** A request to a server that the operator names in the configuration; a longer body is refused. */
export type OperatorRequest = Omit<OutboundRequest, "excess">;

/** Its answer; redirects are answers like any other. */
export type OperatorAnswer = Omit<OutboundAnswer, "headers"> & { readonly headers: Headers };

/** Sends a request to an address that the operator alone named, also a private one or plain HTTP. Throws `OutboundError` when there is no answer. */
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
