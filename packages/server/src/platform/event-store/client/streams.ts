import { EngineError, errorAtEnd, MARK } from "./engine-error.ts";
import type { StoreAnswer } from "./store-client.ts";

const LINE_FEED = 0x0a;

/** The lines of an answer of JSON lines, in batches as they come. Throws where the engine breaks off. A caller that stops early ends the query. */
export async function* streamLines({ body }: StoreAnswer): AsyncGenerator<readonly string[]> {
	let rest: Buffer[] = [];
	let failure: string[] | undefined;
	for await (const piece of body as AsyncIterable<Buffer>) {
		const end = piece.lastIndexOf(LINE_FEED);
		if (end < 0) {
			rest.push(piece);
			continue;
		}
		const lines = Buffer.concat([...rest, piece.subarray(0, end)])
			.toString("utf8")
			.split("\n");
		rest = end + 1 < piece.byteLength ? [piece.subarray(end + 1)] : [];
		// No line of JSON begins with the mark.
		const mark = failure === undefined ? lines.findIndex((line) => line.startsWith(MARK)) : 0;
		if (mark >= 0) failure = [...(failure ?? []), ...lines.splice(mark)];
		const whole = lines.filter((line) => line.startsWith("["));
		if (whole.length > 0) yield whole;
	}
	if (failure !== undefined) throw new EngineError(failure.join("\n"));
	if (rest.length > 0) throw new EngineError("The answer ended within a line");
}

/** Upper bound of an error at the end of an answer; so many bytes are held back. */
const HELD_BYTES = 32 * 1024;

/** The bytes of an answer as they come. Throws where the engine breaks off, before its last bytes. A caller that stops early ends the query. */
export async function* streamBytes({ body, header }: StoreAnswer): AsyncGenerator<Uint8Array> {
	const held: Buffer[] = [];
	let heldBytes = 0;
	for await (const piece of body as AsyncIterable<Buffer>) {
		held.push(piece);
		heldBytes += piece.byteLength;
		while (held[0] !== undefined && heldBytes - held[0].byteLength >= HELD_BYTES) {
			const first = held.shift();
			heldBytes -= first?.byteLength ?? 0;
			if (first !== undefined) yield first;
		}
	}
	const end = Buffer.concat(held);
	const error = errorAtEnd(end, header("x-clickhouse-exception-tag"));
	if (error !== undefined) throw error;
	if (end.byteLength > 0) yield end;
}
