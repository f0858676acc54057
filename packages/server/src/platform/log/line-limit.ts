import type { Clock } from "../lib/clock.ts";

const EVERY_MS = 1000;

/** Lets a line through at most once a second: how many were held back before it, or undefined for one to hold back. */
export function createLineLimit(clock: Pick<Clock, "now">): () => number | undefined {
	let lastAt = Number.NEGATIVE_INFINITY;
	let held = 0;
	return () => {
		const now = clock.now();
		// A clock that is set back holds no line back.
		if (Math.abs(now - lastAt) < EVERY_MS) {
			held++;
			return undefined;
		}
		const before = held;
		[lastAt, held] = [now, 0];
		return before;
	};
}
