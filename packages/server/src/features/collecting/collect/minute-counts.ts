import { MINUTE_MS } from "../../../platform/lib/durations.ts";
/** Longest window that can be asked for. */
export const MINUTES_KEPT = 1440;

/** The minute of an instant, counted from the Unix epoch. */
export const minuteOf = (now: number): number => Math.floor(now / MINUTE_MS);

/** Counts by the minute for a day, in 6 kB whatever is counted. */
export class MinuteCounts {
	readonly #counts = new Uint32Array(MINUTES_KEPT);
	#latest = 0;

	/** Counts one more in the minute of `now`. */
	add(now: number): void {
		const minute = minuteOf(now);
		if (minute > this.#latest) this.#clear(this.#latest + 1, minute);
		// The clock was far ahead and came back, so the counts are not of the last day.
		else if (minute <= this.#latest - MINUTES_KEPT) this.#clear(minute, minute + MINUTES_KEPT - 1, minute);
		this.#counts[minute % MINUTES_KEPT] = (this.#counts[minute % MINUTES_KEPT] ?? 0) + 1;
	}

	/** The sum of the last `minutes` minutes, that of `now` included. */
	sum(minutes: number, now: number): number {
		const last = Math.min(minuteOf(now), this.#latest);
		const first = Math.max(minuteOf(now) - minutes, this.#latest - MINUTES_KEPT) + 1;
		let sum = 0;
		for (let minute = first; minute <= last; minute++) sum += this.#counts[minute % MINUTES_KEPT] ?? 0;
		return sum;
	}

	/** The count of one minute, counted from the Unix epoch; 0 where it is not known any more. */
	at(minute: number): number {
		if (minute > this.#latest || minute <= this.#latest - MINUTES_KEPT) return 0;
		return this.#counts[minute % MINUTES_KEPT] ?? 0;
	}

	/** Takes back what was counted in the minutes of which this is true of their first millisecond. */
	forget(isForgotten: (minuteAt: number) => boolean): void {
		for (let minute = this.#latest - MINUTES_KEPT + 1; minute <= this.#latest; minute++) {
			if (isForgotten(minute * MINUTE_MS)) this.#counts[minute % MINUTES_KEPT] = 0;
		}
	}

	#clear(from: number, to: number, latest = to): void {
		if (to - from + 1 >= MINUTES_KEPT) this.#counts.fill(0);
		else for (let minute = from; minute <= to; minute++) this.#counts[minute % MINUTES_KEPT] = 0;
		this.#latest = latest;
	}
}
