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
