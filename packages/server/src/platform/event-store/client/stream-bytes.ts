import { errorAtEnd } from "./engine-error.ts";
import type { StoreAnswer } from "./store-client.ts";

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
