import type { Measures } from "../../../analytics/catalog/metrics.ts";
import { metricsFor } from "../../../analytics/catalog/rates.ts";
import { readsRows } from "../../../analytics/query/engine/compile.ts";
import { runPage, runTotals } from "../../../analytics/query/engine/run.ts";
import { runCompared } from "../../../analytics/query/engine/run-compared.ts";
import type { DateRange } from "../../../analytics/query/question/date-range.ts";
import { readingOf } from "../../../analytics/query/question/reading.ts";
import type { PageRequest, ReportQuery, ReportRow } from "../../../analytics/query/question/report-query.ts";
import { baselineStart } from "../../../analytics/query/reports/baseline-start.ts";
import { pageOf } from "../../../platform/http/envelope.ts";
import type { StatsDeps } from "./deps.ts";
import { explained, pageMeta } from "./explain.ts";
import type { ListQuery } from "./list-schemas.ts";
import { nestedLists } from "./nested-lists.ts";
import { parseRequest, type StatsSite } from "./parse.ts";
import { presentNumbers, presentRow } from "./present.ts";
import { addedColumns, orderOf, questionOf, shapeFor } from "./question.ts";
import type { ListReport } from "./reports.ts";
import { tells } from "./within-share.ts";

interface Found {
	readonly rows: readonly { readonly row: ReportRow; readonly earlier?: Measures }[];
	readonly totalRows: number;
	readonly totals: Measures;
	readonly earlierTotals: Measures | undefined;
}

interface Asked {
	readonly page: PageRequest;
	readonly comparison: DateRange | undefined;
	/** The numbers of which earlier totals are shown. */
	readonly comparedColumns: ListReport["columns"];
}

/** A page, and the earlier period row by row in one statement; its totals too, unless they have numbers of their own in a projection. */
async function findPage(
	deps: StatsDeps,
	report: ListReport,
	question: ReportQuery,
	{ page, comparison, comparedColumns }: Asked,
): Promise<Found> {
	if (comparison === undefined) {
		const { rows, ...found } = await runPage(deps, question, page);
		return { ...found, rows: rows.map((row) => ({ row })), earlierTotals: undefined };
	}
	if (report.comparison === undefined) {
		return runCompared(deps, question, comparison, { ...page, earlierTotals: question.metrics });
	}
	const metrics = metricsFor(Object.values(comparedColumns));
	// A projection may hold them by themselves; rows are not read twice.
	if (readsRows({ ...question, earlier: comparison })) {
		return runCompared(deps, question, comparison, { ...page, earlierTotals: metrics });
	}
	const [found, earlierTotals] = await Promise.all([
		runCompared(deps, question, comparison, page),
		runTotals(deps, { ...question, range: comparison, metrics }),
	]);
	return { ...found, earlierTotals };
}

/** Runs one row of the report table: the page with its lists, and with `compare` the earlier period, all at the same time. */
export async function listReport(deps: StatsDeps, plain: ListReport, site: StatsSite, query: ListQuery) {
	const report = shapeFor(plain, query);
	const request = await parseRequest(deps, site, query, readingOf(Object.values(report.key)));
	const compared = shapeFor({ ...plain, columns: plain.comparison ?? plain.columns }, query);
	const question = questionOf(report, request, query);
	const { page, page_size: pageSize, include_totals: wantsTotals = false } = query;
	const finding = findPage(deps, report, question, {
		page: {
			order: orderOf(report, query),
			limit: pageSize,
			offset: (page - 1) * pageSize,
			totals: wantsTotals ? question.metrics : report.share ? ["entrances"] : [],
		},
		comparison: request.comparison,
		comparedColumns: compared.columns,
	});
	const onPage = async () => (await finding).rows.map(({ row }) => row);
	const lists = report.nested ?? [];
	const shown = lists.filter(({ key }) => tells(site.share, Object.values(key)));
	const untold = Object.fromEntries(lists.filter((list) => !shown.includes(list)).map(({ field }) => [field, []]));
	const { comparison, conditions } = request;
	const [found, nested, began] = await Promise.all([
		finding,
		nestedLists(deps, question, shown, onPage),
		baselineStart(deps, { sites: [site.id], earlier: comparison, conditions }),
	]);
	const rows = found.rows.map(({ row, earlier }) =>
		presentRow(report, row, {
			added: addedColumns(report, query),
			entrances: found.totals.entrances,
			earlierEntrances: found.earlierTotals?.entrances,
			nested: { ...nested(row), ...untold },
			...(earlier && { earlier }),
		}),
	);
	const { totals, earlierTotals } = found;
	return {
		...pageOf(rows, { total: found.totalRows, page, pageSize }),
		...(earlierTotals && { comparison: presentNumbers(earlierTotals, compared.columns) }),
		...(wantsTotals && { totals: presentNumbers(totals, report.columns) }),
		...pageMeta({ ...began, ...explained(query) }),
	};
}
