import { AccountQuery, readingAccount, writingAccountOfOrganization } from "../../../access/index.ts";
import type { App } from "../../../platform/http/app.ts";
import { errorAnswers } from "../../../platform/http/error-answers.ts";
import { ErrorRef } from "../../../platform/http/schemas.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { askBackfill, askRetry, askSync, syncNotFound } from "./ask-sync.ts";
import type { BigQueryDeps } from "./deps.ts";
import { badGateway } from "./open-warehouse.ts";
import { presentBackfill, presentLog, presentRetry, presentSync } from "./present.ts";
import { Backfill, BackfillBody, Log, LogList, LogParams, LogsQuery, Retry, Sync, SyncBody } from "./schemas.ts";
import { findSiteSync, findSync, listSyncs, type SyncRow } from "./sync-store.ts";

/** A request for a sync waits for its end if that is soon; proxies time out later than this. */
const LOOKS = 80;
const BETWEEN_MS = 250;

/** A sync as it ended, or as it is when that takes longer than twenty seconds or another attempt; undefined when it is gone. */
async function awaitSync(
	{ metadata, clock }: { readonly metadata: Metadata; readonly clock: Clock },
	syncId: string,
): Promise<SyncRow | undefined> {
	for (let look = 1; ; look++) {
		const row = await findSync(metadata, syncId);
		if (row?.status !== "running" || row.error_message !== null || look === LOOKS) return row;
		await clock.sleep(BETWEEN_MS);
	}
}

const tags = ["BigQuery"];
const reading = readingAccount("viewer");
const writing = writingAccountOfOrganization;
const url = "/integrations/bigquery";

const badDates = {
	description: "`bad_request`: the dates are in the wrong order, too far apart or ahead",
	...ErrorRef,
};
const failed = { description: "`bad_gateway`: the sync failed, the message and the log say why", ...ErrorRef };
const errors = { 400: badDates, 502: failed, ...errorAnswers("conflict") };

/** Routes on syncs: those that users ask for, and the log of all. */
export function registerSyncRoutes(app: App, deps: BigQueryDeps): void {
	registerSyncs(app, deps);
	registerRetry(app, deps);
	registerLogs(app, deps);
}

/** A sync as it ended, or as it goes on; throws `bad_gateway` for one that failed. */
async function outcome(deps: BigQueryDeps, begun: SyncRow): Promise<SyncRow> {
	const row = await awaitSync(deps, begun.sync_id);
	if (row === undefined) throw syncNotFound();
	if (row.status === "failed") throw badGateway(row.error_message ?? "the sync failed");
	return row;
}

function registerSyncs(app: App, deps: BigQueryDeps): void {
	app.route({
		method: "POST",
		url: `${url}/sync`,
		schema: {
			tags,
			summary: "Sync days now; they replace what of them is in BigQuery",
			querystring: AccountQuery,
			body: SyncBody,
			response: { 200: Sync, ...errors },
		},
		config: { guard: writing },
		handler: async ({ site, body }) => {
			const { date_from: from, date_to: to } = body;
			const asked = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
			return presentSync(await outcome(deps, await askSync(deps, site, asked)));
		},
	});
	app.route({
		method: "POST",
		url: `${url}/backfill`,
		schema: {
			tags,
			summary: "Sync up to a year of the past, in parts",
			querystring: AccountQuery,
			body: BackfillBody,
			response: { 200: Backfill, ...errors },
		},
		config: { guard: writing },
		handler: async ({ site, body }) => {
			const days = { from: body.date_from, to: body.date_to };
			return presentBackfill(await outcome(deps, await askBackfill(deps, site, days, body.chunk_days)));
		},
	});
}

function registerRetry(app: App, deps: BigQueryDeps): void {
	app.route({
		method: "POST",
		url: `${url}/retry/:log_id`,
		schema: {
			tags,
			summary: "Sync again what of a sync has failed",
			params: LogParams,
			querystring: AccountQuery,
			response: { 200: Retry, 502: failed, ...errorAnswers("conflict") },
		},
		config: { guard: writing },
		handler: async ({ site, params }) => {
			const row = await outcome(deps, await askRetry(deps, site, params.log_id));
			return presentRetry(row, params.log_id);
		},
	});
}

function registerLogs(app: App, { metadata }: BigQueryDeps): void {
	app.route({
		method: "GET",
		url: `${url}/logs`,
		schema: { tags, summary: "Syncs of a site, newest first", querystring: LogsQuery, response: { 200: LogList } },
		config: { guard: reading },
		handler: async ({ site, query: { limit, offset } }) => {
			const { rows, total } = await listSyncs(metadata, site.id, { limit, offset });
			return { logs: rows.map(presentLog), total };
		},
	});
	app.route({
		method: "GET",
		url: `${url}/logs/:log_id`,
		schema: {
			tags,
			summary: "One sync of the log",
			params: LogParams,
			querystring: AccountQuery,
			response: { 200: Log },
		},
		config: { guard: reading },
		handler: async ({ site, params }) => {
			const row = await findSiteSync(metadata, site.id, params.log_id);
			if (row === undefined) throw syncNotFound();
			return presentLog(row);
		},
	});
}
