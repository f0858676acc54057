import type { Measures, Metric } from "../../catalog/metrics.ts";
import { DECIMAL_STEPS, DECIMALS } from "../../model/event-columns.ts";
import { type DateRange, daysIn, eachDay } from "../question/date-range.ts";
import { monthStart, weekStart } from "../question/periods.ts";
import type { Labels } from "../question/report-query.ts";

/** Width of a point; hours are those of the site's clock. */
export type Granularity = "hourly" | "daily" | "weekly" | "monthly";

/** One point of a series. */
export interface Point {
	/** `YYYY-MM-DD` in the site's time zone; the first day of a week or month. */
	readonly date: string;
	/** 0-23, hourly series only. */
	readonly hour?: number;
	/** 1 Monday to 7 Sunday, hourly series only. */
	readonly day_of_week?: number;
	readonly value: number;
}

/** Hourly where every range is a single day, else daily. */
export function autoGranularity(ranges: readonly DateRange[]): Granularity {
	return ranges.every((range) => daysIn(range) === 1) ? "hourly" : "daily";
}

/** Dimensions of a series. */
export const seriesDimensions = {
	daily: ["date"],
	hourly: ["date", "hour"],
} as const;

/** Below it numbers add up exactly in ten-thousandths, the last place of a product included. */
const LARGE = 2 ** 52;

const pointKey = (date: unknown, hour: unknown) => `${date} ${hour ?? ""}`;

const hours = Array.from({ length: 24 }, (_, hour) => hour);

/** The day that the point of a day bears: that day, or the first of its week or month that lies in the range. */
function pointDay(day: Temporal.PlainDate, range: DateRange, granularity: Granularity): string {
	const first = granularity === "weekly" ? weekStart(day) : granularity === "monthly" ? monthStart(day) : day;
	return (Temporal.PlainDate.compare(first, range.start) < 0 ? range.start : first).toString();
}

const hoursOf = (day: Temporal.PlainDate): Omit<Point, "value">[] =>
	hours.map((hour) => ({ date: day.toString(), hour, day_of_week: day.dayOfWeek }));

/**
 * The points of a range: one a day, a week or a month, or 24 a day whatever the clock change. Each is made of the rows of its
 * time, of which there may be none.
 */
export function seriesPoints<Row extends Labels>(
	rows: readonly Row[],
	range: DateRange,
	granularity: Granularity,
	value: (rows: readonly Row[]) => number,
): Point[] {
	const days = eachDay(range);
	const pointOf = new Map(days.map((day) => [day.toString(), pointDay(day, range, granularity)]));
	const isHourly = granularity === "hourly";
	const grouped = Map.groupBy(rows, ({ date, hour }) =>
		pointKey(pointOf.get(String(date)), isHourly ? hour : undefined),
	);
	const points = isHourly ? days.flatMap(hoursOf) : [...new Set(pointOf.values())].map((date) => ({ date }));
	return points.map((point: Omit<Point, "value">) => ({
		...point,
		value: value(grouped.get(pointKey(point.date, point.hour)) ?? []),
	}));
}

/** Ten-thousandths of a number with up to four decimals. */
const stepsOf = (value: number): bigint =>
	Number.isInteger(value) ? BigInt(value) * BigInt(DECIMAL_STEPS) : BigInt(value.toFixed(DECIMALS).replace(".", ""));

/** The exact sum of numbers with up to four decimals, however large it becomes. */
export function addDecimals(values: readonly number[]): number {
	const size = values.reduce((sum, value) => sum + Math.abs(value), 0) * DECIMAL_STEPS;
	if (size < LARGE) return values.reduce((sum, value) => sum + Math.round(value * DECIMAL_STEPS), 0) / DECIMAL_STEPS;
	return Number(`${values.reduce((sum, value) => sum + stepsOf(value), 0n)}e-${DECIMALS}`);
}

/** Each metric summed over rows. */
export function sumRows<M extends Metric>(rows: readonly Measures<M>[], names: readonly M[]): Record<M, number> {
	return Object.fromEntries(names.map((name) => [name, addDecimals(rows.map((row) => row[name]))])) as Record<
		M,
		number
	>;
}
