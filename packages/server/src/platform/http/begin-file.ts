import { Readable } from "node:stream";
import type { Lane } from "../lib/lane.ts";

/**
 * The content of a file for a reply, once its first piece is there: what fails before it is thrown here and becomes an
 * answer. Holds a place in the lane until the pieces end or their reader leaves, which ends whatever makes them.
 */
export async function beginFile<T extends string | Uint8Array>(
	lane: Lane,
	content: AsyncIterable<T>,
): Promise<Readable> {
	const pieces = inPlace(lane, content);
	const first = await pieces.next();
	return Readable.from(withFirst(first, pieces));
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

async function* withFirst<T>(first: IteratorResult<T>, rest: AsyncGenerator<T>): AsyncGenerator<T> {
	try {
		if (first.done !== true) yield first.value;
		yield* rest;
	} finally {
		// A reader who hangs up early ends the query.
		await rest.return(undefined);
	}
}
