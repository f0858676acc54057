import { MINUTE_MS } from "../../../platform/lib/durations.ts";

/** Hits a minute that one visitor may send. */
const HITS_A_MINUTE = 300;
/** Visitors counted in a minute; beyond, newcomers are let through uncounted rather than memory given away. */
const MAX_VISITORS = 500_000;

/** Counts each visitor's hits in fixed windows of a minute. */
export class FloodGuard {
	#minute = 0;
	#counts = new Map<number, number>();

	/** Counts a hit; false when it is one too many in this minute. */
	admit(visitor: number, now: number): boolean {
		const minute = Math.floor(now / MINUTE_MS);
		if (minute !== this.#minute) {
			this.#minute = minute;
			this.#counts = new Map();
		}
		const count = (this.#counts.get(visitor) ?? 0) + 1;
		if (count > HITS_A_MINUTE) return false;
		if (count > 1 || this.#counts.size < MAX_VISITORS) this.#counts.set(visitor, count);
		return true;
	}
}
