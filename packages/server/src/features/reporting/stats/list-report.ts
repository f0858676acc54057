import type { Dimension } from "../../../analytics/catalog/dimensions.ts";
import type { Filter } from "../../../analytics/catalog/filters.ts";
import type { Measures } from "../../../analytics/catalog/metrics.ts";
import { metricsFor } from "../../../analytics/catalog/rates.ts";
import { readsRows } from "../../../analytics/query/engine/compile.ts";
import { runCompared, runPage, runReport, runTop, runTotals, runUnique } from "../../../analytics/query/engine/run.ts";
import { sumRows } from "../../../analytics/query/engine/series.ts";
import type { DateRange } from "../../../analytics/query/question/date-range.ts";
import { readingOf } from "../../../analytics/query/question/reading.ts";
import type { PageRequest, ReportQuery, ReportRow } from "../../../analytics/query/question/report-query.ts";
import { baselineStart } from "../../../analytics/query/reports/site-days.ts";
import { pageOf, success } from "../../../platform/http/envelope.ts";
import type { ListQuery, TopQuery } from "./list-schemas.ts";
import { parseRequest, type StatsDeps, type StatsRequest, type StatsSite, tells } from "./parse.ts";
import {
	addedColumns,
	orderOf,
	presentNumbers,
	presentPart,
	presentRow,
	questionOf,
	type RowParts,
	shapeFor,
} from "./present.ts";
import { explained, pageMeta } from "./report-route.ts";
import type { ListReport, NestedList, TopReport } from "./reports.ts";

const MAX_NESTED = 100;
const MOST_AT_ONCE = 5000;

type Nested = Record<string, ReturnType<typeof presentPart>[]>;

async function partsOf(
	deps: StatsDeps,
	question: ReportQuery,
	list: NestedList,
	page: () => Promise<readonly ReportRow[]>,
): Promise<(row: ReportRow) => Nested[string]> {
	const [outer] = question.dimensions;
	const shown = Object.values(list.columns);
	const [first, ...others] = metricsFor(shown);
	if (outer === undefined || first === undefined) throw new Error("A list inside a row needs a key and a number");
	const inner = { ...question, dimensions: [outer, ...Object.values(list.key)], metrics: [first, ...others], shown };
	const top = { order: [{ by: first, direction: "desc" }], limit: MAX_NESTED, per: outer } as const;
	let parts = await runTop(deps, inner, { ...top, most: MOST_AT_ONCE });
	if (parts.length === MOST_AT_ONCE) {
		const values = (await page()).map((row) => String(row[outer]));
		const onPage: Filter = { dimension: outer, operator: "in", values };
		parts = await runTop(deps, { ...inner, conditions: [...inner.conditions, onPage] }, top);
	}
	const grouped = Map.groupBy(parts, (part) => part[outer]);
	return (row) => (grouped.get(row[outer]) ?? []).map((part) => presentPart(list, part, row[first]));
}

/**
 * Makes the lists inside rows; each holds its first 100 entries. They are asked beside the page, for every row that there
 * is; after it, and for its own rows, only where there are too many.
 */
async function nestedLists(
	deps: StatsDeps,
	question: ReportQuery,
	lists: readonly NestedList[],
	page: () => Promise<readonly ReportRow[]>,
): Promise<(row: ReportRow) => Nested> {
	const parts = await Promise.all(
		lists.map(async (list) => [list.field, await partsOf(deps, question, list, page)] as const),
	);
	return (row) => Object.fromEntries(parts.map(([field, of]) => [field, of(row)]));
}

interface Found {
	readonly rows: readonly { readonly row: ReportRow; readonly earlier?: Measures }[];
	readonly totalRows: number;
	readonly totals: Measures;
	readonly earlierTotals: Measures | undefined;
}

/** A page, and the earlier period row by row in one statement; the totals of `comparedColumns` too, unless they have numbers of their own in a projection. */
async function findPage(
	deps: StatsDeps,
	report: ListReport,
	question: ReportQuery,
	page: PageRequest,
	comparison: DateRange | undefined,
	comparedColumns: ListReport["columns"],
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
	const asked: PageRequest = {
		order: orderOf(report, query),
		limit: pageSize,
		offset: (page - 1) * pageSize,
		totals: wantsTotals ? question.metrics : report.share ? ["entrances"] : [],
	};
	const finding = findPage(deps, report, question, asked, request.comparison, compared.columns);
	const onPage = async () => (await finding).rows.map(({ row }) => row);
	const lists = report.nested ?? [];
	const shown = lists.filter(({ key }) => tells(site.share, Object.values(key)));
	const untold = Object.fromEntries(lists.filter((list) => !shown.includes(list)).map(({ field }) => [field, []]));
	const [found, nested, began] = await Promise.all([
		finding,
		nestedLists(deps, question, shown, onPage),
		baselineStart(deps, request),
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

const filled = (dimension: Dimension): Filter => ({ dimension, operator: "ne", values: [""] });

interface TopFound {
	readonly rows: readonly { readonly row: ReportRow; readonly parts: RowParts }[];
	readonly earlierTotals?: Measures;
}

/** Rows with counted values beside their earlier sums: the values are those of today alone, so the earlier groups come apart. */
async function findUnique(
	deps: StatsDeps,
	{ unique, ...report }: TopReport & Required<Pick<TopReport, "unique">>,
	question: ReportQuery,
	{ comparison, ...query }: TopQuery & Pick<StatsRequest, "comparison">,
): Promise<TopFound> {
	const [rows, groups] = await Promise.all([
		runUnique(deps, question, unique.of, orderOf(report, query)),
		comparison && runReport(deps, { ...question, range: comparison }),
	]);
	const keyOf = (row: ReportRow) => JSON.stringify(question.dimensions.map((name) => row[name]));
	const earlier = groups && Map.groupBy(groups, keyOf);
	const partsOf = (row: (typeof rows)[number]): RowParts => ({
		unique: { [unique.field]: row.unique_values },
		...(earlier && { earlier: sumRows(earlier.get(keyOf(row)) ?? [], question.metrics) }),
	});
	return {
		rows: rows.map((row) => ({ row, parts: partsOf(row) })),
		...(groups && { earlierTotals: sumRows(groups, question.metrics) }),
	};
}

/** The rows, and the earlier period row by row in one statement; where values are counted in a second one. */
async function findRows(
	deps: StatsDeps,
	{ unique, ...report }: TopReport,
	question: ReportQuery,
	query: TopQuery & Pick<StatsRequest, "comparison">,
): Promise<TopFound> {
	if (unique) return findUnique(deps, { ...report, unique }, question, query);
	const { comparison, limit } = query;
	const page = { order: orderOf(report, query), ...(limit !== undefined && { limit }) };
	if (comparison === undefined) {
		const rows = await runTop(deps, question, page);
		return { rows: rows.map((row) => ({ row, parts: {} })) };
	}
	const earlierTotals = question.metrics;
	const found = await runCompared(deps, question, comparison, { ...page, earlierTotals });
	return { ...found, rows: found.rows.map(({ row, earlier }) => ({ row, parts: { earlier } })) };
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
