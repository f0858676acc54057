import { EngineError } from "./engine-error.ts";
import type { StoreAnswer } from "./store-client.ts";

const LINE_FEED = 0x0a;
/** No line of JSON begins like this: it is the engine's own end of an answer that breaks off. */
const MARK = "__exception__";

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
		const mark = failure === undefined ? lines.findIndex((line) => line.startsWith(MARK)) : 0;
		if (mark >= 0) failure = [...(failure ?? []), ...lines.splice(mark)];
		const whole = lines.filter((line) => line.startsWith("["));
		if (whole.length > 0) yield whole;
	}
	if (failure !== undefined) throw new EngineError(failure.join("\n"));
	if (rest.length > 0) throw new EngineError("The answer ended within a line");
}
