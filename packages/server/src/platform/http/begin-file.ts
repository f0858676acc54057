import { Readable } from "node:stream";
import type { Lane } from "../lib/lane.ts";

/** The content of a file from its first chunk on, so that an earlier failure becomes an answer. Holds a place in the lane until it ends or its reader leaves. */
export async function beginFile<T extends string | Uint8Array>(
	lane: Lane,
	content: AsyncIterable<T>,
): Promise<Readable> {
	const pieces = inPlace(lane, content);
	const first = await pieces.next();
	// The generator has begun, so it ends in order even for a reader who left before reading anything.
	const file = Readable.from(pieces);
	if (first.done !== true) file.unshift(first.value);
	return file;
}

/** Waits for a place in the lane and holds it until the pieces end or their reader leaves. */
async function* inPlace<T>(lane: Lane, pieces: AsyncIterable<T>): AsyncGenerator<T> {
	const leave = await new Promise<() => void>((entered) => {
		void lane.run(() => new Promise<void>((left) => entered(left)));
	});
	try {
		yield* pieces;
	} finally {
		leave();
	}
}
