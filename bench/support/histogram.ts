const BUCKET_MS = 0.02;
const BUCKETS = 100_000;

/** Milliseconds in buckets of 20 microseconds up to two seconds: constant memory, whatever the number of values. */
export class Histogram {
	readonly #counts = new Uint32Array(BUCKETS);
	#total = 0;

	add(ms: number): void {
		const bucket = Math.min(BUCKETS - 1, Math.floor(ms / BUCKET_MS));
		this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
		this.#total++;
	}

	/** Milliseconds under which the share `q` lies. */
	quantile(q: number): number {
		let left = Math.ceil(q * this.#total);
		for (let bucket = 0; bucket < BUCKETS; bucket++) {
			left -= this.#counts[bucket] ?? 0;
			if (left <= 0) return (bucket + 1) * BUCKET_MS;
		}
		return BUCKETS * BUCKET_MS;
	}
}
