import { LruMap } from "../../lib/lru-map.ts";
import type { RateCount, RateCounter } from "./rate-counter.ts";

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
