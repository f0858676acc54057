import type { Metric } from "../../catalog/metrics.ts";
import { DECIMAL_STEPS, DECIMALS } from "../../model/decimal-steps.ts";
import { type DateRange, daysIn, eachDay } from "../question/date-range.ts";
import type { ReportRow } from "../question/report-query.ts";

/** Width of a point; hours are those of the site's clock. */
export type Granularity = "hourly" | "daily";

/** One point of a series. */
export interface Point {
	/** `YYYY-MM-DD` in the site's time zone. */
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

/** What to group by for a series. */
export const seriesDimensions = {
	daily: ["date"],
	hourly: ["date", "hour"],
} as const;

/** Below it numbers add up exactly in ten-thousandths, the last place of a product included. */
const LARGE = 2 ** 52;

const pointKey = (date: unknown, hour: unknown) => `${date} ${hour ?? ""}`;

const hours = Array.from({ length: 24 }, (_, hour) => hour);

function emptyPoints(range: DateRange, granularity: Granularity): Omit<Point, "value">[] {
	return eachDay(range).flatMap((day): Omit<Point, "value">[] => {
		const date = day.toString();
		if (granularity === "daily") return [{ date }];
		return hours.map((hour) => ({ date, hour, day_of_week: day.dayOfWeek }));
	});
}

/**
 * The points of a metric over a range: one a day, or 24 a day whatever the clock change, zero where there is no row.
 */
export function seriesPoints<M extends Metric>(
	metric: M,
	rows: readonly ReportRow<M>[],
	range: DateRange,
	granularity: Granularity,
): Point[] {
	const values = new Map(rows.map((row) => [pointKey(row.date, row.hour), row[metric]]));
	return emptyPoints(range, granularity).map((point) => ({
		...point,
		value: values.get(pointKey(point.date, point.hour)) ?? 0,
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
export function sumRows<M extends Metric>(rows: readonly ReportRow<M>[], names: readonly M[]): Record<M, number> {
	return Object.fromEntries(names.map((name) => [name, addDecimals(rows.map((row) => row[name]))])) as Record<
		M,
		number
	>;
}
