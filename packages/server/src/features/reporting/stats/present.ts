import { Type } from "typebox";
import type { Dimension } from "../../../analytics/catalog/dimensions.ts";
import { type Measures, metricNames } from "../../../analytics/catalog/metrics.ts";
import { figureOf, metricsFor, percentage } from "../../../analytics/catalog/rates.ts";
import { type DateRange, daysIn } from "../../../analytics/query/question/date-range.ts";
import { dimensionFilter } from "../../../analytics/query/question/dimension-filter.ts";
import type { Labels, Order, ReportQuery, ReportRow } from "../../../analytics/query/question/report-query.ts";
import { type AddedFigure, extraDimensions, extraFigures, type Includable } from "./parameters.ts";
import type { StatsRequest } from "./parse.ts";
import { type Columns, figureNamed, type NestedList, type RowShape, same } from "./reports.ts";

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

/** The first and the last day of an answer. */
export const span = { date_from: Type.String({ format: "date" }), date_to: Type.String({ format: "date" }) };
export const presentSpan = ({ start, end }: DateRange) => ({ date_from: start.toString(), date_to: end.toString() });

/** The days of an answer, and how many they are. */
export const Days = Type.Object({
	start_date: Type.String({ format: "date" }),
	end_date: Type.String({ format: "date" }),
	days: Type.Integer(),
});
export function presentRange(range: DateRange) {
	return { start_date: range.start.toString(), end_date: range.end.toString(), days: daysIn(range) };
}

export const trafficColumns = same(...metricNames, "bounce_rate", "pages_per_session", "visitors", "visit_duration");

export const conversionColumns = same(
	"conversions",
	"revenue",
	"microconversions",
	"conversion_rate",
	"average_order_value",
);

/** The parameters that decide which rows a report has and in which order. */
export interface RowsQuery {
	readonly sort_by?: string;
	readonly sort_order?: "asc" | "desc";
	readonly search?: string;
	readonly include?: readonly (Includable | AddedFigure)[];
	readonly include_utm?: boolean;
	readonly include_content_group?: boolean;
}

/** The columns that a request adds to the rows. */
export function addedColumns({ takes = [] }: RowShape, query: RowsQuery): Dimension[] {
	if (!takes.includes("columns")) return [];
	return extraDimensions(query.include_utm ?? false, query.include ?? []);
}

/** A report with the numbers that a request adds to it, and with one row of a page for all its content groups where it asks for that. */
export function shapeFor<Shape extends RowShape>(shape: Shape, query: RowsQuery): Shape {
	const added = extraFigures(query.include ?? []);
	const { content_grouping: _, ...page } = shape.key;
	const key = query.include_content_group === false ? page : shape.key;
	return { ...shape, key, columns: { ...shape.columns, ...same(...added) } };
}

export function questionOf(shape: RowShape, request: StatsRequest, query: RowsQuery): ReportQuery {
	const keys = [...new Set(Object.values(shape.key))];
	const [first] = keys;
	const { search = "" } = query;
	const found = search === "" || first === undefined ? [] : [dimensionFilter(first, "search", [search])];
	return {
		site: request.site,
		range: request.range,
		conditions: [...request.conditions, ...found],
		dimensions: [...keys, ...addedColumns(shape, query)],
		metrics: metricsFor(Object.values(shape.columns)),
		shown: Object.values(shape.columns),
	};
}

/** The order that a request asks for, else the report's own. */
export function orderOf(shape: RowShape, query: RowsQuery): Order[] {
	return [{ by: figureNamed(shape, query.sort_by ?? shape.sortBy[0]), direction: query.sort_order ?? "desc" }];
}
