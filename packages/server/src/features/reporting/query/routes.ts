import { runPage } from "../../../analytics/query/engine/run.ts";
import { runCompared } from "../../../analytics/query/engine/run-compared.ts";
import { baselineStart } from "../../../analytics/query/reports/baseline-start.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { beginFile } from "../../../platform/http/begin-file.ts";
import { createLane } from "../../../platform/lib/lane.ts";
import { explained } from "../stats/index.ts";
import { asking, type QueryDeps } from "./asking.ts";
import { explainChange } from "./explain-change.ts";
import { ExplainAnswer, ExplainBody, ExplainParameters } from "./explain-schemas.ts";
import { exportQuery } from "./export-query.ts";
import type { OpenQuery } from "./parse.ts";
import { presentComparedDays, presentComparison, presentQuery } from "./present.ts";
import { readQuery } from "./read-query.ts";
import { BadQuery, CsvFile, ExportParameters, QueryAnswer, QueryBody, QueryParameters } from "./schemas.ts";

const MAX_ROWS = 10_000;
const MAX_EXPORTED_ROWS = 100_000;
/** A slow reader holds a query open; most of the engine's places are left to everybody else. */
const EXPORTS_AT_ONCE = 4;

/** Registers `POST /stats/query`, its export, and `POST /stats/explain`. */
export function registerQuery(app: App, deps: QueryDeps): void {
	registerOpenQuery(app, deps);
	registerExport(app, deps);
	registerExplainedChange(app, deps);
}

function registerOpenQuery(app: App, deps: QueryDeps): void {
	addRoute(app, "POST /stats/query", {
		tags: ["Stats"],
		summary: "Query any metrics by any dimensions",
		querystring: QueryParameters,
		body: QueryBody(MAX_ROWS),
		guard: { ...asking, oauth: "delegated", share: "hours" },
		answer: QueryAnswer,
		errors: { 400: BadQuery },
		handler: async (request) => {
			const { meta, ...answer } = await runQuery(deps, await readQuery(deps, request.site, request));
			return { ...answer, meta: { ...meta, ...explained(request.query) } };
		},
	});
}

function registerExport(app: App, deps: QueryDeps): void {
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
			response: { 200: CsvFile, 400: BadQuery },
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
}

/** Registers `POST /stats/explain`. */
function registerExplainedChange(app: App, deps: QueryDeps): void {
	addRoute(app, "POST /stats/explain", {
		tags: ["Stats"],
		summary: "Explain the change of a metric by dimension values",
		querystring: ExplainParameters,
		body: ExplainBody,
		guard: { ...asking, oauth: "delegated" },
		answer: ExplainAnswer,
		errors: { 400: BadQuery },
		handler: async (request) => explainChange(deps, request.site, request),
	});
}

/**
 * One page of a query; with `compare` also the same page of the earlier period, asked at the same time, or the earlier
 * numbers of each row, asked in the same statement.
 */
async function runQuery(deps: { readonly eventStore: EventStore }, query: OpenQuery) {
	const { question, page, comparison, isJoined } = query;
	const beginning = baselineStart(deps, {
		sites: [question.site],
		earlier: comparison?.range,
		conditions: question.conditions,
	});
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
