import { metricsFor } from "../../../analytics/catalog/rates.ts";
import { comparedTo, runPage, runTotals } from "../../../analytics/query/engine/run.ts";
import { pageOf } from "../../../platform/http/envelope.ts";
import type { StatsDeps } from "./deps.ts";
import type { ListQuery } from "./list-schemas.ts";
import { parseRequest, type StatsSite } from "./parse.ts";
import { presentNumbers, presentRow } from "./present.ts";
import { addedColumns, orderOf, questionOf, withFigures } from "./question.ts";
import type { ListReport } from "./reports.ts";
import { earlierRows, nestedLists } from "./row-parts.ts";

/** Runs one row of the report table: the page, and with `compare` the earlier totals at the same time. */
export async function listReport(deps: StatsDeps, plain: ListReport, site: StatsSite, query: ListQuery) {
	const request = await parseRequest(deps, site, query, plain.path);
	const report = withFigures(plain, query);
	const { comparison } = request;
	const question = questionOf(report, request, query);
	const { page, page_size: pageSize, include_totals: wantsTotals = false } = query;
	const comparedColumns = plain.comparison
		? withFigures({ ...plain, columns: plain.comparison }, query).columns
		: report.columns;
	const [result, compared, visitors] = await Promise.all([
		runPage(deps, question, {
			order: orderOf(report, query),
			limit: pageSize,
			offset: (page - 1) * pageSize,
			totals: wantsTotals || report.share === true,
		}),
		comparison &&
			runTotals(deps, {
				...comparedTo(question, comparison),
				metrics: metricsFor(Object.values(comparedColumns)),
			}),
		// Somebody may be in several rows: the sum of them would count too many.
		wantsTotals && question.metrics.includes("visitors") && runTotals(deps, { ...question, metrics: ["visitors"] }),
	]);
	const [earlier, nested] = await Promise.all([
		comparison && report.previous ? earlierRows(deps, question, result.rows, comparison) : undefined,
		nestedLists(deps, question, result.rows, report.nested ?? []),
	]);
	const rows = result.rows.map((row) =>
		presentRow(report, row, {
			added: addedColumns(report, query),
			entrances: result.totals?.entrances,
			nested: nested(row),
			...(earlier && { compared: { earlier: earlier(row) } }),
		}),
	);
	return {
		...pageOf(rows, { total: result.totalRows, page, pageSize }),
		...(compared && { comparison: presentNumbers(compared, comparedColumns) }),
		...(wantsTotals && result.totals && { totals: presentNumbers({ ...result.totals, ...visitors }, report.columns) }),
	};
}
