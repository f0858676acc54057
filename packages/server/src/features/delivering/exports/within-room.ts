import { JobFailure } from "../../../platform/jobs/job-failure.ts";

/** The pieces of a file as long as they are no more than so many bytes; throws a final `JobFailure` at the first beyond. */
export async function* withinRoom(pieces: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array> {
	let left = bytes;
	for await (const piece of pieces) {
		left -= piece.byteLength;
		if (left < 0)
			throw new JobFailure("The file is larger than the room that is left for export files", { isFinal: true });
		yield piece;
	}
}
