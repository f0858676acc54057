import type { App } from "../../../platform/http/app.ts";
import { beginFile } from "../../../platform/http/begin-file.ts";
import { createLane } from "../../../platform/lib/lane.ts";
import { explained } from "../stats/index.ts";
import { asking, type QueryDeps } from "./asking.ts";
import { registerExplainedChange } from "./explain-routes.ts";
import { exportQuery } from "./export-query.ts";
import { readQuery } from "./read-query.ts";
import { runQuery } from "./run-query.ts";
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
	app.route({
		method: "POST",
		url: "/stats/query",
		config: { guard: { ...asking, oauth: "delegated", share: "hours" } },
		schema: {
			tags: ["Stats"],
			summary: "Any metrics by any dimensions",
			querystring: QueryParameters,
			body: QueryBody(MAX_ROWS),
			response: { 200: QueryAnswer, 400: BadQuery },
		},
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
			summary: "A query as a CSV file",
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
