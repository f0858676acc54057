import { readablePath } from "../../../analytics/attribution/canonical-path.ts";
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

/** A row, with its numbers in the earlier period where it is compared with itself. */
export interface QueryRow {
	readonly row: ReportRow;
	readonly earlier?: Measures;
}

function presentRow({ dimensions, columns }: OpenQuery, { row, earlier }: QueryRow) {
	const numbers = columns.map((name) => [name, figureOf(name, row)] as const);
	const before = earlier ? columns.map((name) => [`${name}_prev`, figureOf(name, earlier)] as const) : [];
	return Object.fromEntries<string | number | null>([
		...dimensions.map((name) => [name, shownValue(row, name)] as const),
		...numbers,
		...before,
	]);
}

export function presentQuery(
	query: OpenQuery,
	page: { readonly rows: readonly QueryRow[]; readonly totalRows: number },
	began: { readonly baseline_start?: string },
) {
	return {
		data: page.rows.map((row) => presentRow(query, row)),
		meta: {
			total_rows: page.totalRows,
			has_more: query.page.offset + page.rows.length < page.totalRows,
			granularity: query.granularity,
			dimensions: [...query.dimensions],
			metrics: [...query.columns],
			...began,
		},
	};
}

export const presentComparedDays = ({ mode, range }: Comparison) => ({
	date_from: range.start.toString(),
	date_to: range.end.toString(),
	mode,
});

export function presentComparison(query: OpenQuery, comparison: Comparison, page: ReportPage) {
	return {
		comparison_data: page.rows.map((row) => presentRow(query, { row })),
		comparison_meta: { ...presentComparedDays(comparison), total_rows: page.totalRows },
	};
}

export function presentHead({ comparison, isJoined, dimensions, columns }: OpenQuery): string[] {
	if (isJoined) return [...dimensions, ...columns, ...columns.map((name) => `${name}_prev`)];
	return [...(comparison === undefined ? [] : ["period"]), ...dimensions, ...columns];
}

/** The cells of an export's line, in the order of its head. */
const readable = (name: string, value: CsvCell): CsvCell =>
	(name === "path" || name === "landing_page") && typeof value === "string" ? readablePath(value) : value;

export function presentCells(
	query: OpenQuery,
	period: "current" | "comparison",
	{ row, earlier }: QueryRow,
): CsvCell[] {
	return [
		...(query.comparison === undefined || query.isJoined ? [] : [period]),
		...query.dimensions.map((name) => readable(name, shownValue(row, name) ?? "")),
		...query.columns.map((name) => figureOf(name, row)),
		...(earlier === undefined ? [] : query.columns.map((name) => figureOf(name, earlier))),
	];
}
