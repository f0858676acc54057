import type { Measures } from "../../../analytics/catalog/metrics.ts";
import { figureOf } from "../../../analytics/catalog/rates.ts";
import { UNKNOWN_HOUR } from "../../../analytics/model/event-columns.ts";
import type { ReportPage } from "../../../analytics/query/engine/run.ts";
import type { Labels, ReportRow } from "../../../analytics/query/question/report-query.ts";
import type { CsvCell } from "../../../platform/lib/csv.ts";
import type { Comparison, OpenQuery } from "./parse.ts";
import type { QueryDimension } from "./vocabulary.ts";

/** A value of a dimension; null for the hour of what was imported by the day. */
function shownValue(row: Labels, name: QueryDimension): string | number | null {
	return name === "hour" && row.hour === UNKNOWN_HOUR ? null : (row[name] ?? "");
}

function presentRow({ dimensions, columns }: OpenQuery, row: ReportRow): Record<string, string | number | null> {
	return Object.fromEntries([
		...dimensions.map((name) => [name, shownValue(row, name)]),
		...columns.map((name) => [name, figureOf(name, row)]),
	]);
}

/** The rows of a query, with what describes them. */
export function presentQuery(query: OpenQuery, page: ReportPage) {
	return {
		data: page.rows.map((row) => presentRow(query, row)),
		meta: {
			total_rows: page.totalRows,
			has_more: query.page.offset + page.rows.length < page.totalRows,
			granularity: query.granularity,
			dimensions: [...query.dimensions],
			metrics: [...query.columns],
		},
	};
}

/** The rows of the earlier period. */
export function presentComparison(query: OpenQuery, { mode, range }: Comparison, page: ReportPage) {
	return {
		comparison_data: page.rows.map((row) => presentRow(query, row)),
		comparison_meta: {
			date_from: range.start.toString(),
			date_to: range.end.toString(),
			mode,
			total_rows: page.totalRows,
		},
	};
}

/** Names of the columns of an export. */
export function presentHead({ comparison, dimensions, columns }: OpenQuery): string[] {
	return [...(comparison === undefined ? [] : ["period"]), ...dimensions, ...columns];
}

/** The cells of an export's line, in the order of its head. */
export function presentCells(
	query: OpenQuery,
	period: "current" | "comparison",
	row: ReportRow<keyof Measures>,
): CsvCell[] {
	return [
		...(query.comparison === undefined ? [] : [period]),
		...query.dimensions.map((name) => shownValue(row, name) ?? ""),
		...query.columns.map((name) => figureOf(name, row)),
	];
}
