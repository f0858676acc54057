import type { Guard } from "../../../access/index.ts";
import { readablePath } from "../../../analytics/attribution/canonical-path.ts";
import type { Measures } from "../../../analytics/catalog/metrics.ts";
import { figureOf } from "../../../analytics/catalog/rates.ts";
import { UNKNOWN_HOUR } from "../../../analytics/model/event-columns.ts";
import {
	type ReportPage,
	runCompared,
	runPage,
	streamCompared,
	streamPage,
} from "../../../analytics/query/engine/run.ts";
import type { Labels, ReportRow } from "../../../analytics/query/question/report-query.ts";
import { baselineStart } from "../../../analytics/query/reports/site-days.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { beginFile } from "../../../platform/http/begin-file.ts";
import { type CsvCell, csvLine } from "../../../platform/lib/csv.ts";
import { createLane } from "../../../platform/lib/lane.ts";
import { errors, explained, type StatsDeps } from "../stats/index.ts";
import { ExplainAnswer, ExplainBody, ExplainParameters, explainChange } from "./explain-change.ts";
import { type Comparison, type OpenQuery, readQuery } from "./parse.ts";
import { CsvFile, ExportParameters, QueryAnswer, QueryBody, type QueryDimension, QueryParameters } from "./schemas.ts";

export { queryDimensions, queryMetrics } from "./schemas.ts";

type Batches = AsyncGenerator<{ readonly period: "current" | "comparison"; readonly rows: readonly QueryRow[] }>;

async function* batchesOf(deps: StatsDeps, { question, page, comparison, isJoined }: OpenQuery): Batches {
	if (comparison && isJoined) {
		const batches = streamCompared(deps, question, comparison.range, page);
		for await (const rows of batches) yield { period: "current", rows };
		return;
	}
	const plain = (rows: readonly QueryRow["row"][]) => rows.map((row) => ({ row }));
	for await (const rows of streamPage(deps, question, page)) yield { period: "current", rows: plain(rows) };
	if (comparison === undefined) return;
	const earlier = streamPage(deps, { ...question, range: comparison.range }, page);
	for await (const rows of earlier) yield { period: "comparison", rows: plain(rows) };
}

/**
 * A query as a CSV file, in pieces as the engine produces its rows: the head, the rows, then with `compare` those of the
 * earlier period, unless rows have their earlier numbers beside them. Throws at the first piece when the query fails before
 * it has rows.
 */
async function* exportQuery(deps: StatsDeps, query: OpenQuery): AsyncGenerator<string> {
	let head = csvLine(presentHead(query));
	for await (const { period, rows } of batchesOf(deps, query)) {
		yield head + rows.map((row) => csvLine(presentCells(query, period, row))).join("");
		head = "";
	}
	if (head !== "") yield head;
}

const asking: Extract<Guard, { kind: "site" }> = {
	kind: "site",
	siteFrom: "query",
	keyScope: "stats:read",
	role: "viewer",
	write: false,
	namesRefusals: true,
};

const MAX_ROWS = 10_000;
const MAX_EXPORTED_ROWS = 100_000;
/** A slow reader holds a query open; most of the engine's places are left to everybody else. */
const EXPORTS_AT_ONCE = 4;

export function registerQuery(app: App, deps: StatsDeps): void {
	addRoute(app, "POST /stats/query", {
		tags: ["Stats"],
		summary: "Query any metrics by any dimensions",
		querystring: QueryParameters,
		body: QueryBody(MAX_ROWS),
		guard: { ...asking, oauth: "delegated", share: "hours" },
		answer: QueryAnswer,
		errors,
		handler: async (request) => {
			const { meta, ...answer } = await runQuery(deps, await readQuery(deps, request.site, request));
			return { ...answer, meta: { ...meta, ...explained(request.query) } };
		},
	});
	const places = createLane(EXPORTS_AT_ONCE);
	app.route({
		method: "POST",
		url: "/stats/query/export",
		config: { guard: asking },
		schema: {
			"x-headers": ["Content-Disposition"],
			tags: ["Stats"],
			summary: "Download a query as a CSV file",
			querystring: ExportParameters,
			body: QueryBody(MAX_EXPORTED_ROWS),
			response: { 200: CsvFile, ...errors },
		},
		handler: async (request, reply) => {
			const query = await readQuery(deps, request.site, request);
			const file = await beginFile(places, exportQuery(deps, query));
			reply.headers({
				"content-type": "text/csv; charset=utf-8",
				"content-disposition": `attachment; filename="${request.query.filename}"`,
				"cache-control": "no-store",
			});
			return reply.send(file);
		},
	});
	addRoute(app, "POST /stats/explain", {
		tags: ["Stats"],
		summary: "Explain the change of a metric by dimension values",
		querystring: ExplainParameters,
		body: ExplainBody,
		guard: { ...asking, oauth: "delegated" },
		answer: ExplainAnswer,
		errors,
		handler: async (request) => explainChange(deps, request.site, request),
	});
}

/**
 * One page of a query; with `compare` also the same page of the earlier period, asked at the same time, or the earlier
 * numbers of each row, asked in the same statement.
 */
async function runQuery(deps: StatsDeps, query: OpenQuery) {
	const { question, page, comparison, isJoined } = query;
	const beginning = baselineStart(deps, { ...question, comparison: comparison?.range });
	if (comparison && isJoined) {
		const [found, began] = await Promise.all([runCompared(deps, question, comparison.range, page), beginning]);
		return { ...presentQuery(query, found, began), comparison_meta: presentComparedDays(comparison) };
	}
	const [current, earlier, began] = await Promise.all([
		runPage(deps, question, page),
		comparison && runPage(deps, { ...question, range: comparison.range }, page),
		beginning,
	]);
	const rows = current.rows.map((row) => ({ row }));
	return {
		...presentQuery(query, { ...current, rows }, began),
		...(comparison && earlier && presentComparison(query, comparison, earlier)),
	};
}

/** A value of a dimension; null for the hour of what was imported by the day. */
function shownValue(row: Labels, name: QueryDimension): string | number | null {
	return name === "hour" && row.hour === UNKNOWN_HOUR ? null : (row[name] ?? "");
}

/** A row, with its numbers in the earlier period where it is compared with itself. */
interface QueryRow {
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

function presentQuery(
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

const presentComparedDays = ({ mode, range }: Comparison) => ({
	date_from: range.start.toString(),
	date_to: range.end.toString(),
	mode,
});

function presentComparison(query: OpenQuery, comparison: Comparison, page: ReportPage) {
	return {
		comparison_data: page.rows.map((row) => presentRow(query, { row })),
		comparison_meta: { ...presentComparedDays(comparison), total_rows: page.totalRows },
	};
}

function presentHead({ comparison, isJoined, dimensions, columns }: OpenQuery): string[] {
	if (isJoined) return [...dimensions, ...columns, ...columns.map((name) => `${name}_prev`)];
	return [...(comparison === undefined ? [] : ["period"]), ...dimensions, ...columns];
}

/** The cells of an export's line, in the order of its head. */
const readable = (name: string, value: CsvCell): CsvCell =>
	(name === "path" || name === "landing_page") && typeof value === "string" ? readablePath(value) : value;

function presentCells(query: OpenQuery, period: "current" | "comparison", { row, earlier }: QueryRow): CsvCell[] {
	return [
		...(query.comparison === undefined || query.isJoined ? [] : [period]),
		...query.dimensions.map((name) => readable(name, shownValue(row, name) ?? "")),
		...query.columns.map((name) => figureOf(name, row)),
		...(earlier === undefined ? [] : query.columns.map((name) => figureOf(name, earlier))),
	];
}
