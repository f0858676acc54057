/** Days in the site's time zone, both ends included; `start` is never after `end`. */
export interface DateRange {
	readonly start: Temporal.PlainDate;
	readonly end: Temporal.PlainDate;
}

/** What a range is compared with. */
export type ComparisonMode = "previous" | "yoy";

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
 * earlier, 29 February becoming 28 February.
 */
export function comparisonRange(range: DateRange, mode: ComparisonMode): DateRange {
	switch (mode) {
		case "previous":
			return { start: range.start.subtract({ days: daysIn(range) }), end: range.start.subtract({ days: 1 }) };
		case "yoy":
			return { start: range.start.subtract({ years: 1 }), end: range.end.subtract({ years: 1 }) };
	}
}
