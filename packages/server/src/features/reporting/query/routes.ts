import type { Guard } from "../../../access/index.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import type { App } from "../../../platform/http/app.ts";
import { beginFile } from "../../../platform/http/begin-file.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import { createLane } from "../../../platform/lib/lane.ts";
import type { SegmentLookup } from "../stats/index.ts";
import { exportQuery } from "./export-query.ts";
import { readQuery } from "./read-query.ts";
import { runQuery } from "./run-query.ts";
import { BadQuery, CsvFile, ExportParameters, QueryAnswer, QueryBody, QueryParameters } from "./schemas.ts";

/** What the query routes need. */
interface QueryDeps {
	readonly eventStore: EventStore;
	readonly clock: Clock;
	readonly segments: SegmentLookup;
}

const MAX_ROWS = 10_000;
const MAX_EXPORTED_ROWS = 100_000;
/** A slow reader holds a query open; most of the engine's places are left to everybody else. */
const EXPORTS_AT_ONCE = 4;

const guard: Guard = {
	kind: "site",
	siteFrom: "query",
	keyScope: "stats:read",
	role: "viewer",
	write: false,
	namesRefusals: true,
};

/** Registers `POST /stats/query` and its export. */
export function registerQuery(app: App, deps: QueryDeps): void {
	registerOpenQuery(app, deps);
	registerExport(app, deps);
}

function registerOpenQuery(app: App, deps: QueryDeps): void {
	app.route({
		method: "POST",
		url: "/stats/query",
		config: { guard: { ...guard, oauth: "delegated" } },
		schema: {
			tags: ["Stats"],
			summary: "Any metrics by any dimensions",
			querystring: QueryParameters,
			body: QueryBody(MAX_ROWS),
			response: { 200: QueryAnswer, 400: BadQuery },
		},
		handler: async (request) => runQuery(deps, await readQuery(deps, request.site, request)),
	});
}

function registerExport(app: App, deps: QueryDeps): void {
	const places = createLane(EXPORTS_AT_ONCE);
	app.route({
		method: "POST",
		url: "/stats/query/export",
		config: { guard },
		schema: {
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
