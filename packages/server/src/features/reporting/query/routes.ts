import type { Guard } from "../../../access/index.ts";
import { runCompared, runPage } from "../../../analytics/query/engine/run.ts";
import { streamCompared, streamPage } from "../../../analytics/query/engine/stream.ts";
import { baselineStart } from "../../../analytics/query/reports/site-days.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { beginFile } from "../../../platform/http/begin-file.ts";
import { csvLine } from "../../../platform/lib/csv.ts";
import { createLane } from "../../../platform/lib/lane.ts";
import { errors, explained, type StatsDeps } from "../stats/index.ts";
import { ExplainAnswer, ExplainBody, ExplainParameters, explainChange } from "./explain-change.ts";
import { type OpenQuery, readQuery } from "./parse.ts";
import {
	presentCells,
	presentComparedDays,
	presentComparison,
	presentHead,
	presentQuery,
	type QueryRow,
} from "./present.ts";
import { CsvFile, ExportParameters, QueryAnswer, QueryBody, QueryParameters } from "./schemas.ts";

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
