/** How far a unique time may run ahead of the clock, ms. */
export const MAX_AHEAD_MS = 2000;

/** The latest times that were given out, a site and kind. */
export class LastTimes {
	readonly #last = new Map<string, number>();

	/**
	 * `ts`, or the next millisecond that was not given out, at most two seconds later. Beyond that it is `ts` all the
	 * same: a flood takes more than a thousand a second, or the clock was set back, and then it is begun anew from there.
	 */
	next(siteId: string, kind: string, ts: number): number {
		const key = `${siteId}\n${kind}`;
		const last = this.#last.get(key) ?? 0;
		const ahead = last - ts;
		const time = ahead >= 0 && ahead < MAX_AHEAD_MS ? last + 1 : ts;
		if (ahead !== MAX_AHEAD_MS) this.#last.set(key, time);
		return time;
	}
}
