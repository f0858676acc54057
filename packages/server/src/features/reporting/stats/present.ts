import type { Dimension } from "../../../analytics/catalog/dimensions.ts";
import type { Measures, Metric } from "../../../analytics/catalog/metrics.ts";
import { isRate, rates, ratio } from "../../../analytics/catalog/rates.ts";
import { type DateRange, daysIn } from "../../../analytics/query/date-range.ts";
import type { ReportRow } from "../../../analytics/query/report-query.ts";
import { addDecimals, type Point } from "../../../analytics/query/series.ts";
import type { Column } from "./reports.ts";

/** Sums and rates by name, in the order given. */
export function presentNumbers<C extends Column>(measures: Measures, columns: readonly C[]): Record<C, number> {
	const value = (column: C) => (isRate(column) ? rates[column].of(measures) : measures[column as Metric]);
	return Object.fromEntries(columns.map((column) => [column, value(column)])) as Record<C, number>;
}

/** A row of a list: its key, its numbers, then the columns that were asked for. */
export function presentRow(
	row: ReportRow,
	key: readonly Dimension[],
	columns: readonly Column[],
	extra: readonly Dimension[],
): Record<string, string | number> {
	const labels = (names: readonly Dimension[]) => Object.fromEntries(names.map((name) => [name, row[name] ?? ""]));
	return { ...labels(key), ...presentNumbers(row, columns), ...labels(extra) };
}

/** The days of an answer. */
export function presentRange(range: DateRange) {
	return { start_date: range.start.toString(), end_date: range.end.toString(), days: daysIn(range) };
}

const trafficColumns = [
	"entrances",
	"engaged_entrances",
	"page_views",
	"microconversions",
	"conversions",
	"revenue",
	"bounce_rate",
	"pages_per_session",
] as const satisfies readonly Column[];

const conversionColumns = [
	"conversions",
	"revenue",
	"microconversions",
	"conversion_rate",
	"average_order_value",
] as const satisfies readonly Column[];

/** The block `traffic` of the overview. */
export function presentTraffic(measures: Measures) {
	return presentNumbers(measures, trafficColumns);
}

/** The block `conversions` of the overview. */
export function presentConversions(measures: Measures) {
	return presentNumbers(measures, conversionColumns);
}

/** A series with its sum and its mean a point, 2 decimals. */
export function presentSeries(metric: Metric, points: readonly Point[]) {
	const total = addDecimals(points.map((point) => point.value));
	return { metric, points, total, average: ratio(total, points.length) };
}
