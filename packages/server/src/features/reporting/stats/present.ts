import type { Dimension } from "../../../analytics/catalog/dimensions.ts";
import { type Measures, metricNames } from "../../../analytics/catalog/metrics.ts";
import { figureOf, percentage } from "../../../analytics/catalog/rates.ts";
import { type DateRange, daysIn } from "../../../analytics/query/question/date-range.ts";
import type { Labels, ReportRow } from "../../../analytics/query/question/report-query.ts";
import { type Columns, columns, type NestedList, type RowShape } from "./reports.ts";

/** Sums and rates by field, in the order given. */
export function presentNumbers<C extends Columns>(measures: Measures, shown: C): Record<keyof C, number> {
	const values = Object.entries(shown).map(([field, figure]) => [field, figureOf(figure, measures)]);
	return Object.fromEntries(values) as Record<keyof C, number>;
}

/** The numbers of an earlier period beside those of today. */
function presentPrevious(measures: Measures, shown: Columns): Record<string, number> {
	const numbers = presentNumbers(measures, shown);
	return Object.fromEntries(Object.entries(numbers).map(([field, value]) => [`${field}_prev`, value]));
}

function presentLabels(labels: Labels, key: Readonly<Record<string, Dimension>>): Record<string, string | number> {
	return Object.fromEntries(Object.entries(key).map(([field, dimension]) => [field, labels[dimension] ?? ""]));
}

/** Columns of a row beside its key and its numbers. */
export interface RowParts {
	/** Columns that were asked for. */
	readonly added?: readonly Dimension[];
	/** The sums of the same row in the earlier period, where they are shown too. */
	readonly earlier?: Measures;
	/** All entrances, for the row's share of them. */
	readonly entrances?: number | undefined;
	/** Those of the earlier period. */
	readonly earlierEntrances?: number | undefined;
	/** Lists inside the row by field. */
	readonly nested?: Readonly<Record<string, readonly Record<string, string | number>[]>>;
	/** Counted values by field. */
	readonly unique?: Readonly<Record<string, number>>;
}

/** A row of a report: its key, its numbers, then the columns that were asked for. */
export function presentRow(shape: RowShape, row: ReportRow, parts: RowParts): Record<string, unknown> {
	const { named } = shape;
	const added = parts.added ?? [];
	return {
		...presentLabels(row, shape.key),
		...(named && { [named.field]: named.name(String(row[named.of] ?? "")) }),
		...parts.unique,
		...presentNumbers(row, shape.columns),
		...(shape.share && { percentage: percentage(row.entrances, parts.entrances ?? 0) }),
		...(parts.earlier && presentPrevious(parts.earlier, shape.columns)),
		...(parts.earlier &&
			shape.share && { percentage_prev: percentage(parts.earlier.entrances, parts.earlierEntrances ?? 0) }),
		...parts.nested,
		...presentLabels(row, Object.fromEntries(added.map((name) => [name, name]))),
	};
}

/** A row of a list inside a row, with its share of the whole. */
export function presentPart(list: Omit<NestedList, "field">, row: ReportRow, whole: number) {
	const [first] = Object.values(list.columns);
	return {
		...presentLabels(row, list.key),
		...presentNumbers(row, list.columns),
		percentage: percentage(first === undefined ? 0 : figureOf(first, row), whole),
	};
}

/** The days of an answer. */
export function presentRange(range: DateRange) {
	return { start_date: range.start.toString(), end_date: range.end.toString(), days: daysIn(range) };
}

/** The block `traffic` of the overview. */
export const trafficColumns = columns(...metricNames, "bounce_rate", "pages_per_session", "visitors", "visit_duration");

/** The block `conversions` of the overview. */
export const conversionColumns = columns(
	"conversions",
	"revenue",
	"microconversions",
	"conversion_rate",
	"average_order_value",
);
