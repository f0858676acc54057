import type { Dimension } from "../../../analytics/catalog/dimensions.ts";
import type { Filter } from "../../../analytics/catalog/filters.ts";
import { comparedTo, runTop, runTotals, runUnique } from "../../../analytics/query/engine/run.ts";
import type { ReportQuery, ReportRow } from "../../../analytics/query/question/report-query.ts";
import { success } from "../../../platform/http/envelope.ts";
import type { StatsDeps } from "./deps.ts";
import type { TopQuery } from "./list-schemas.ts";
import { parseRequest, type StatsSite } from "./parse.ts";
import { presentNumbers, presentRow, type RowParts } from "./present.ts";
import { orderOf, questionOf, withFigures } from "./question.ts";
import { earlierRows } from "./row-parts.ts";
import type { TopReport } from "./top-reports.ts";

interface TopRow {
	readonly row: ReportRow;
	readonly parts: RowParts;
}

const filled = (dimension: Dimension): Filter => ({ dimension, operator: "ne", values: [""] });

async function topRows(deps: StatsDeps, report: TopReport, question: ReportQuery, query: TopQuery): Promise<TopRow[]> {
	const order = orderOf(report, query);
	const { unique } = report;
	if (unique === undefined) {
		const rows = await runTop(deps, question, { order, ...(query.limit !== undefined && { limit: query.limit }) });
		return rows.map((row) => ({ row, parts: {} }));
	}
	const rows = await runUnique(deps, question, unique.of, order);
	return rows.map((row) => ({ row, parts: { unique: { [unique.field]: row.unique_values } } }));
}

/** Runs a report without pages; with `compare` the earlier totals come in `meta`. */
export async function topReport(deps: StatsDeps, table: TopReport, site: StatsSite, query: TopQuery) {
	const report = withFigures(table, query);
	const request = await parseRequest(deps, site, query, report.path);
	const { comparison } = request;
	const plain = questionOf(report, request, query);
	const keyFilters = report.keyGiven ? Object.values(report.key).map(filled) : [];
	const question = { ...plain, conditions: [...plain.conditions, ...keyFilters] };
	const [rows, compared] = await Promise.all([
		topRows(deps, report, question, query),
		comparison && runTotals(deps, comparedTo(question, comparison)),
	]);
	const earlier =
		comparison && report.previous
			? await earlierRows(
					deps,
					question,
					rows.map(({ row }) => row),
					comparison,
				)
			: undefined;
	const data = rows.map(({ row, parts }) =>
		presentRow(report, row, { ...parts, ...(earlier && { compared: { earlier: earlier(row) } }) }),
	);
	return success(data, compared && { comparison: presentNumbers(compared, report.columns) });
}
