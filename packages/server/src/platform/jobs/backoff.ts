import { HOUR_MS } from "../lib/durations.ts";

const FIRST_MS = 15_000;
const FACTOR = 4;
const MOST_MS = HOUR_MS;
/** Jobs that failed together do not come back together. */
const SPREAD = 0.2;

/** Milliseconds until the attempt after this one: 15 s, 1 min, 4 min, 16 min, then every hour, each up to 20 % off. */
export function backoffMs(attempt: number, random: () => number = Math.random): number {
	const delay = Math.min(FIRST_MS * FACTOR ** (attempt - 1), MOST_MS);
	return Math.round(delay * (1 - SPREAD + 2 * SPREAD * random()));
}
