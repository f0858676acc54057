/** Days in the site's time zone, both ends included; `start` is never after `end`. */
export interface DateRange {
	readonly start: Temporal.PlainDate;
	readonly end: Temporal.PlainDate;
	/** End before the end of the last day: rows in this hour of this day, or later, do not count. */
	readonly until?: { readonly day: Temporal.PlainDate; readonly hour: number };
}

/** Comparison period of a range, measured from its own days. */
export type ComparisonMode = "previous" | "yoy" | "yoy_weekday";

const utcDate = (ms: number): Temporal.PlainDate =>
	Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO("UTC").toPlainDate();

/** The days of rows between two moments, in milliseconds since the Unix epoch: a row is booked to the day of its site's clock, at most one away from that of UTC. */
export const daysAround = (from: number, until: number): DateRange => ({
	start: utcDate(from).subtract({ days: 1 }),
	end: utcDate(until).add({ days: 1 }),
});

/** Number of days in the range, both ends counted. */
export function daysIn(range: DateRange): number {
	return range.start.until(range.end, { largestUnit: "days" }).days + 1;
}

/** The days of the range in order. */
export function eachDay(range: DateRange): Temporal.PlainDate[] {
	return Array.from({ length: daysIn(range) }, (_, index) => range.start.add({ days: index }));
}

/**
 * The range to compare with: `previous` has the same length and ends the day before; `yoy` has both ends one year
 * earlier, 29 February becoming 28 February; `yoy_weekday` has both ends 52 weeks earlier, so that weekdays match.
 */
export function comparisonRange(range: DateRange, mode: ComparisonMode): DateRange {
	switch (mode) {
		case "previous":
			return { start: range.start.subtract({ days: daysIn(range) }), end: range.start.subtract({ days: 1 }) };
		case "yoy":
			return { start: range.start.subtract({ years: 1 }), end: range.end.subtract({ years: 1 }) };
		case "yoy_weekday":
			return { start: range.start.subtract({ weeks: 52 }), end: range.end.subtract({ weeks: 52 }) };
	}
}

/** True where a range neither begins nor ends after another. */
export function comesFirst(one: DateRange, other: DateRange): boolean {
	const { compare } = Temporal.PlainDate;
	return compare(one.start, other.start) <= 0 && compare(one.end, other.end) <= 0;
}

/** True where no day is in both ranges, and this one is the earlier. */
export const endsBefore = (one: DateRange, other: DateRange): boolean =>
	Temporal.PlainDate.compare(one.end, other.start) < 0;
