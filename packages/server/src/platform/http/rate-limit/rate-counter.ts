import { LruMap } from "../../lib/lru-map.ts";

/** How far a bucket's window is used. */
export interface RateCount {
	/** Requests counted in the window, refused ones included. */
	readonly count: number;
	/** When the window ends, ms since the Unix epoch. */
	readonly endsAt: number;
}

/** Counts requests in fixed windows, each of which opens with a request. The memory form answers at once, the others with promises. */
export interface RateCounter {
	/** Counts a request. Two at once never get the same count. */
	hit(bucket: string, windowMs: number, nowMs: number): RateCount | Promise<RateCount>;
	/** The window as it is, or the one that a request would open now, with count 0. */
	peek(bucket: string, windowMs: number, nowMs: number): RateCount | Promise<RateCount>;
}

/** Buckets held at a time; beyond it those not used lately are forgotten. */
const MAX_BUCKETS = 100_000;

/** Counts in the memory of this process. */
export class MemoryRateCounter implements RateCounter {
	readonly #windows = new LruMap<string, RateCount>(MAX_BUCKETS);

	hit(bucket: string, windowMs: number, nowMs: number): RateCount {
		const { count, endsAt } = this.peek(bucket, windowMs, nowMs);
		const next = { count: count + 1, endsAt };
		this.#windows.set(bucket, next);
		return next;
	}

	peek(bucket: string, windowMs: number, nowMs: number): RateCount {
		const open = this.#windows.get(bucket);
		return open !== undefined && open.endsAt > nowMs ? open : { count: 0, endsAt: nowMs + windowMs };
	}
}
