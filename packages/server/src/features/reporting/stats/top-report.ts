import type { Dimension } from "../../../analytics/catalog/dimensions.ts";
import type { Filter } from "../../../analytics/catalog/filters.ts";
import type { Measures } from "../../../analytics/catalog/metrics.ts";
import { runReport, runTop, runUnique } from "../../../analytics/query/engine/run.ts";
import { runCompared } from "../../../analytics/query/engine/run-compared.ts";
import { sumRows } from "../../../analytics/query/engine/series.ts";
import type { DateRange } from "../../../analytics/query/question/date-range.ts";
import { readingOf } from "../../../analytics/query/question/reading.ts";
import type { ReportQuery, ReportRow } from "../../../analytics/query/question/report-query.ts";
import { baselineStart } from "../../../analytics/query/reports/baseline-start.ts";
import { success } from "../../../platform/http/envelope.ts";
import type { StatsDeps } from "./deps.ts";
import { explained } from "./explain.ts";
import type { TopQuery } from "./list-schemas.ts";
import { parseRequest, type StatsSite } from "./parse.ts";
import { presentNumbers, presentRow, type RowParts } from "./present.ts";
import { orderOf, questionOf, shapeFor } from "./question.ts";
import type { TopReport } from "./top-reports.ts";

interface TopRow {
	readonly row: ReportRow;
	readonly parts: RowParts;
}

const filled = (dimension: Dimension): Filter => ({ dimension, operator: "ne", values: [""] });

interface Found {
	readonly rows: readonly TopRow[];
	readonly earlierTotals: Measures | undefined;
}

async function rowsOf(deps: StatsDeps, report: TopReport, question: ReportQuery, query: TopQuery): Promise<TopRow[]> {
	const order = orderOf(report, query);
	const { unique } = report;
	if (unique === undefined) {
		const rows = await runTop(deps, question, { order, ...(query.limit !== undefined && { limit: query.limit }) });
		return rows.map((row) => ({ row, parts: {} }));
	}
	const rows = await runUnique(deps, question, unique.of, order);
	return rows.map((row) => ({ row, parts: { unique: { [unique.field]: row.unique_values } } }));
}

/** Rows with counted values beside their earlier sums: the values are those of today alone, so the earlier groups come apart. */
async function findUnique(
	deps: StatsDeps,
	report: TopReport,
	question: ReportQuery,
	query: TopQuery & { readonly comparison: DateRange },
): Promise<Found> {
	const [rows, groups] = await Promise.all([
		rowsOf(deps, report, question, query),
		runReport(deps, { ...question, range: query.comparison }),
	]);
	const keyOf = (row: ReportRow) => JSON.stringify(question.dimensions.map((name) => row[name]));
	const earlier = new Map(groups.map((row) => [keyOf(row), row]));
	const sumsOf = (row: ReportRow) => {
		const before = earlier.get(keyOf(row));
		return sumRows(before ? [before] : [], question.metrics);
	};
	return {
		rows: rows.map(({ row, parts }) => ({ row, parts: { ...parts, earlier: sumsOf(row) } })),
		earlierTotals: sumRows(groups, question.metrics),
	};
}

/** The rows, and the earlier period row by row in one statement; where values are counted in a second one. */
async function findRows(
	deps: StatsDeps,
	report: TopReport,
	question: ReportQuery,
	query: TopQuery & { readonly comparison: DateRange | undefined },
): Promise<Found> {
	const { comparison, limit } = query;
	if (comparison && report.unique) return findUnique(deps, report, question, { ...query, comparison });
	if (comparison) {
		const page = {
			order: orderOf(report, query),
			earlierTotals: question.metrics,
			...(limit !== undefined && { limit }),
		};
		const { rows, earlierTotals } = await runCompared(deps, question, comparison, page);
		return { rows: rows.map(({ row, earlier }) => ({ row, parts: { earlier } })), earlierTotals };
	}
	return { rows: await rowsOf(deps, report, question, query), earlierTotals: undefined };
}

/** Runs a report without pages; with `compare` the earlier totals come in `meta`. */
export async function topReport(deps: StatsDeps, table: TopReport, site: StatsSite, query: TopQuery) {
	const report = shapeFor(table, query);
	const request = await parseRequest(deps, site, query, readingOf(Object.values(report.key)));
	const plain = questionOf(report, request, query);
	const keyFilters = report.keyGiven ? Object.values(report.key).map(filled) : [];
	const question = { ...plain, conditions: [...plain.conditions, ...keyFilters] };
	const { comparison } = request;
	const [found, began] = await Promise.all([
		findRows(deps, report, question, { ...query, comparison }),
		baselineStart(deps, request),
	]);
	const data = found.rows.map(({ row, parts }) => presentRow(report, row, parts));
	const { earlierTotals } = found;
	return success(data, {
		...(earlierTotals && { comparison: presentNumbers(earlierTotals, report.columns) }),
		...began,
		...explained(query),
	});
}
