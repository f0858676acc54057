import { FootfallError } from "./footfall-error.ts";
import type { AnyInput } from "./route.ts";

const ndjson = "application/x-ndjson";

/** The objects of an answer with one JSON text a line, as they arrive. A reader that stops ends the answer. */
export async function* objectsOf(
	send: (input: AnyInput) => Promise<Response>,
	input: AnyInput = {},
): AsyncGenerator<unknown, void> {
	const response = await send({ ...input, headers: { ...input.headers, Accept: ndjson } });
	const { body, headers, status } = response;
	if (!headers.get("Content-Type")?.startsWith(ndjson)) {
		await body?.cancel();
		throw new FootfallError("The answer does not come line by line", { code: "unexpected_answer", status });
	}
	if (body !== null) for await (const line of linesOf(body)) yield JSON.parse(line);
}

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
	const decoder = new TextDecoder();
	const reader = body.getReader();
	let rest = "";
	try {
		for (let part = await reader.read(); !part.done; part = await reader.read()) {
			const lines = (rest + decoder.decode(part.value, { stream: true })).split("\n");
			rest = lines.pop() ?? "";
			for (const line of lines) if (line !== "") yield line;
		}
		if (rest !== "") yield rest;
	} finally {
		// Not every browser reads a stream by `for await`, which would do this by itself.
		await reader.cancel();
	}
}
