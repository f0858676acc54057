import { AccountQuery, readingAccount, writingAccountOfOrganization } from "../../../access/index.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { errorAnswers } from "../../../platform/http/error-answers.ts";
import { ErrorRef } from "../../../platform/http/schemas.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { askBackfill, askRetry, askSync, syncNotFound } from "./connect.ts";
import type { BigQueryDeps } from "./deps.ts";
import { badGateway } from "./open-warehouse.ts";
import { presentBackfill, presentLog, presentRetry, presentSync } from "./present.ts";
import { Backfill, BackfillBody, Log, LogList, LogParams, LogsQuery, Retry, Sync, SyncBody } from "./schemas.ts";
import { listSyncs, type SyncRow, syncs } from "./store.ts";

/** A request for a sync waits for its end if that is soon; proxies time out later than this. */
const LOOKS = 80;
const BETWEEN_MS = 250;

/** A sync as it ended, or as it is when that takes longer than twenty seconds or another attempt; undefined when it is gone. */
async function awaitSync(
	{ metadata, clock }: { readonly metadata: Metadata; readonly clock: Clock },
	syncId: string,
): Promise<SyncRow | undefined> {
	for (let look = 1; ; look++) {
		const row = await syncs.find(metadata, { sync_id: syncId });
		if (row?.status !== "running" || row.error_message !== null || look === LOOKS) return row;
		await clock.sleep(BETWEEN_MS);
	}
}

const tags = ["BigQuery"];
const reading = { tags, querystring: AccountQuery, guard: readingAccount("viewer") };
const writing = { tags, querystring: AccountQuery, guard: writingAccountOfOrganization };
const url = "/integrations/bigquery";

const badDates = {
	description: "`bad_request`: the dates are in the wrong order, too far apart or in the future",
	...ErrorRef,
};
const failed = { description: "`bad_gateway`: the sync failed; the message and the log say why", ...ErrorRef };
const errors = { 400: badDates, 502: failed, ...errorAnswers("conflict") };

export function registerSyncRoutes(app: App, deps: BigQueryDeps): void {
	registerSyncs(app, deps);
	registerLogs(app, deps);
}

/** A sync as it ended, or its progress; throws `bad_gateway` for one that failed. */
async function outcome(deps: BigQueryDeps, begun: SyncRow): Promise<SyncRow> {
	const row = await awaitSync(deps, begun.sync_id);
	if (row === undefined) throw syncNotFound();
	if (row.status === "failed") throw badGateway(row.error_message ?? "the sync failed");
	return row;
}

function registerSyncs(app: App, deps: BigQueryDeps): void {
	addRoute(app, `POST ${url}/sync`, {
		...writing,
		summary: "Sync days now; they replace the same days in BigQuery",
		body: SyncBody,
		answer: Sync,
		errors: errors,
		handler: async ({ site, body }) => {
			const { date_from: from, date_to: to } = body;
			const asked = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
			return presentSync(await outcome(deps, await askSync(deps, site, asked)));
		},
	});
	addRoute(app, `POST ${url}/backfill`, {
		...writing,
		summary: "Sync up to a year of past days, in parts",
		body: BackfillBody,
		answer: Backfill,
		errors: errors,
		handler: async ({ site, body }) => {
			const days = { from: body.date_from, to: body.date_to };
			return presentBackfill(await outcome(deps, await askBackfill(deps, site, days, body.chunk_days)));
		},
	});
	addRoute(app, `POST ${url}/retry/:log_id`, {
		...writing,
		summary: "Retry the failed part of a sync",
		params: LogParams,
		answer: Retry,
		errors: { 502: failed, ...errorAnswers("conflict") },
		handler: async ({ site, params }) => {
			const row = await outcome(deps, await askRetry(deps, site, params.log_id));
			return presentRetry(row, params.log_id);
		},
	});
}

function registerLogs(app: App, { metadata }: BigQueryDeps): void {
	addRoute(app, `GET ${url}/logs`, {
		...reading,
		summary: "Syncs of a site, newest first",
		querystring: LogsQuery,
		answer: LogList,
		handler: async ({ site, query: { limit, offset } }) => {
			const { rows, total } = await listSyncs(metadata, site.id, { limit, offset });
			return { logs: rows.map(presentLog), total };
		},
	});
	addRoute(app, `GET ${url}/logs/:log_id`, {
		...reading,
		summary: "One sync of the log",
		params: LogParams,
		answer: Log,
		handler: async ({ site, params }) => {
			const row = await syncs.find(metadata, { site_id: site.id, id: params.log_id });
			if (row === undefined) throw syncNotFound();
			return presentLog(row);
		},
	});
}
