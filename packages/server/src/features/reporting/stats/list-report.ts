import type { Metric } from "../../../analytics/catalog/metrics.ts";
import { isRate, rates } from "../../../analytics/catalog/rates.ts";
import { dimensionFilter } from "../../../analytics/query/dimension-filter.ts";
import type { ReportQuery } from "../../../analytics/query/report-query.ts";
import { comparedTo, runPage, runTotals } from "../../../analytics/query/run.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import { pageOf } from "../../../platform/http/envelope.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import { parseRequest, type StatsSite } from "./parse.ts";
import { presentNumbers, presentRow } from "./present.ts";
import { type Column, extraDimensions, type ListReport } from "./reports.ts";
import type { ListQuery } from "./schemas.ts";

/** What reports need. */
export interface StatsDeps {
	readonly eventStore: EventStore;
	readonly clock: Clock;
}

/** The sums that columns are made of. */
function metricsOf(columns: readonly Column[]): Metric[] {
	return [
		...new Set(columns.flatMap((column): readonly Metric[] => (isRate(column) ? rates[column].needs : [column]))),
	];
}

/** Runs one row of the report table: the page, and with `compare` the earlier totals at the same time. */
export async function listReport(deps: StatsDeps, report: ListReport, site: StatsSite, query: ListQuery) {
	const { comparison, ...request } = parseRequest(site, deps.clock, query, report.path);
	const [key] = report.key;
	const { page = 1, page_size: pageSize = 50, search = "" } = query;
	const found = search === "" ? [] : [dimensionFilter(key, "search", [search], "query.search")];
	const extra = extraDimensions(query.include_utm ?? false, query.include ?? []);
	const question: ReportQuery = {
		...request,
		conditions: [...request.conditions, ...found],
		dimensions: [...report.key, ...extra],
		metrics: metricsOf(report.columns),
	};
	const earlier = { ...question, metrics: metricsOf(report.comparison) };
	const [result, compared] = await Promise.all([
		runPage(deps, question, {
			order: [{ by: query.sort_by ?? report.sortBy[0], direction: query.sort_order ?? "desc" }],
			limit: pageSize,
			offset: (page - 1) * pageSize,
			totals: query.include_totals ?? false,
		}),
		comparison && runTotals(deps, comparedTo(earlier, comparison)),
	]);
	const rows = result.rows.map((row) => presentRow(row, report.key, report.columns, extra));
	return {
		...pageOf(rows, { total: result.totalRows, page, pageSize }),
		...(compared && { comparison: presentNumbers(compared, report.comparison) }),
		...(result.totals && { totals: presentNumbers(result.totals, report.columns) }),
	};
}
