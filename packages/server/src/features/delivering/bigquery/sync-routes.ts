import { Type } from "typebox";
import { AccountQuery, account, readingAccount, writingAccountOfOrganization } from "../../../access/index.ts";
import { todayIn } from "../../../analytics/query/question/resolve-range.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { errorAnswers } from "../../../platform/http/error-answers.ts";
import { presentRow } from "../../../platform/http/present-row.ts";
import {
	ErrorRef,
	Id,
	limitAndOffset,
	Nullable,
	OneOf,
	optionalBody,
	Timestamp,
} from "../../../platform/http/schemas.ts";
import { timestamp, timestampOrNull } from "../../../platform/lib/timestamp.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { lockOrganization } from "../../tenancy/organizations/index.ts";
import { day, endStatuses, type NewSync, type SyncedSite, startSync } from "./connect.ts";
import type { BigQueryDeps } from "./deps.ts";
import { badGateway, getIntegration } from "./open-warehouse.ts";
import { type IntegrationRow, type SyncRow, syncs } from "./store.ts";
import { type Amounts, totalsOf } from "./sync-chunk.ts";
import { checkedDays, chunksOf, type Days, dueDays, failedIn, USUAL_CHUNK_DAYS } from "./sync-days.ts";

const syncTypes = ["initial", "incremental", "backfill", "retry"] as const;
const syncStatuses = ["running", ...endStatuses] as const;
const date = Type.String({ format: "date" });

const amounts = Type.Record(Type.String(), Type.Object({ rows: Type.Integer(), bytes: Type.Integer() }));
const failedChunks = Type.Array(
	Type.Object({
		date_from: date,
		date_to: date,
		error: Type.String(),
	}),
);
const status = OneOf(syncStatuses, { description: "`running`: the sync takes longer than the response waits" });

const syncFields = {
	status,
	log_id: Type.Integer(),
	sync_id: Type.String({ format: "uuid" }),
	sync_type: OneOf(syncTypes),
	date_from: date,
	date_to: date,
	tables: amounts,
	total_rows: Type.Integer(),
	total_bytes: Type.Integer(),
	duration_seconds: Nullable(Type.Integer()),
	message: Type.String(),
};

const Sync = Type.Object(syncFields);
const Backfill = Type.Object({ ...syncFields, total_chunks: Type.Integer(), failed_chunks: failedChunks });
const Retry = Type.Object({
	status,
	original_log_id: Type.Integer(),
	new_sync_id: syncFields.sync_id,
	sync_type: syncFields.sync_type,
	total_rows: Type.Integer(),
	message: Type.String(),
});

const Log = Type.Object({
	id: Type.Integer(),
	sync_id: Type.String({ format: "uuid" }),
	sync_type: OneOf(syncTypes),
	sync_started_at: Timestamp(),
	sync_completed_at: Nullable(Timestamp()),
	date_from: date,
	date_to: date,
	tables_synced: Nullable(amounts),
	total_rows_synced: Type.Integer(),
	total_bytes_synced: Type.Integer(),
	total_chunks: Type.Integer(),
	completed_chunks: Type.Integer({ description: "Completed parts, including failed ones" }),
	failed_chunks: failedChunks,
	status: OneOf(syncStatuses),
	error_message: Nullable(Type.String(), { description: "While it runs: why it is retried" }),
	duration_seconds: Nullable(Type.Integer()),
});

const secondsOf = ({ started_at, completed_at }: SyncRow): number | null =>
	completed_at === null ? null : Math.round((completed_at - started_at) / 1000);

const amountsOf = ({ tables_synced: synced }: SyncRow) => {
	const tables = JSON.parse(synced) as Amounts;
	return { tables, ...totalsOf(tables) };
};

function presentLog(row: SyncRow) {
	const { tables, rows, bytes } = amountsOf(row);
	return {
		...presentRow(Log, row),
		sync_started_at: timestamp(row.started_at),
		sync_completed_at: timestampOrNull(row.completed_at),
		tables_synced: Object.keys(tables).length === 0 ? null : tables,
		total_rows_synced: rows,
		total_bytes_synced: bytes,
		total_chunks: chunksIn(row),
		completed_chunks: row.chunks_done,
		failed_chunks: presentFailed(row),
		duration_seconds: secondsOf(row),
	};
}

const chunksIn = ({ chunks }: SyncRow): number => (JSON.parse(chunks) as Days[]).length;

const presentFailed = (row: SyncRow) =>
	failedIn(row).map(({ from, to, error }) => ({ date_from: from, date_to: to, error }));

function messageOf(row: SyncRow, rows: number): string {
	if (row.status === "running") {
		return `The sync goes on in the background; GET /integrations/bigquery/logs/${row.id} shows its progress`;
	}
	if (row.status === "success") return `${rows} rows were synced`;
	return row.error_message ?? `The sync is ${row.status}`;
}

function presentSync(row: SyncRow) {
	const { tables, rows, bytes } = amountsOf(row);
	return {
		...presentRow(Sync, row),
		log_id: row.id,
		tables,
		total_rows: rows,
		total_bytes: bytes,
		duration_seconds: secondsOf(row),
		message: messageOf(row, rows),
	};
}

const presentBackfill = (row: SyncRow) => ({
	...presentSync(row),
	total_chunks: chunksIn(row),
	failed_chunks: presentFailed(row),
});

const presentRetry = (row: SyncRow, originalLogId: number) => ({
	...presentRow(Retry, row),
	original_log_id: originalLogId,
	new_sync_id: row.sync_id,
	total_rows: amountsOf(row).rows,
	message: messageOf(row, amountsOf(row).rows),
});

/**
 * Begins a sync that a user asks for; the sync as it ended, or its progress. 404 without an integration, 409 while it is paused or
 * a sync runs, 502 for one that failed.
 */
async function ask(
	deps: BigQueryDeps,
	site: SyncedSite,
	choose: (trx: Metadata, integration: IntegrationRow) => Promise<NewSync> | NewSync,
): Promise<SyncRow> {
	const begun = await deps.metadata.transaction().execute(async (trx) => {
		await lockOrganization(trx, site.organizationId);
		const integration = await getIntegration(trx, site.id);
		const chosen = await choose(trx, integration);
		if (integration.is_active !== 1) {
			throw new ServiceError("conflict", "The integration is paused: set is_active to true");
		}
		const row = await startSync(deps, trx, { site, integration }, chosen);
		if (row === undefined) throw new ServiceError("conflict", "A sync of the site is already running");
		return row;
	});
	const row = await awaitSync(deps, begun.sync_id);
	if (row === undefined) throw syncNotFound();
	if (row.status === "failed") throw badGateway(row.error_message ?? "the sync failed");
	return row;
}

const syncNotFound = () => new ServiceError("not_found", "Sync not found");

/** A sync of a site; throws `not_found`. */
async function getSync(metadata: Metadata, siteId: string, id: number): Promise<SyncRow> {
	const row = await syncs.find(metadata, { site_id: siteId, id });
	if (row === undefined) throw syncNotFound();
	return row;
}

/** A request for a sync waits for its end if that is soon; proxies time out later than this. */
const LOOKS = 80;
const BETWEEN_MS = 250;

/** A sync as it ended, or as it is when that takes longer than twenty seconds or another attempt; undefined when it is gone. */
async function awaitSync({ metadata, clock }: BigQueryDeps, syncId: string): Promise<SyncRow | undefined> {
	for (let look = 1; ; look++) {
		const row = await syncs.find(metadata, { sync_id: syncId });
		if (row?.status !== "running" || row.error_message !== null || look === LOOKS) return row;
		await clock.sleep(BETWEEN_MS);
	}
}

const badDates = {
	description: "`bad_request`: the dates are in the wrong order, too far apart or in the future",
	...ErrorRef,
};
const failed = { description: "`bad_gateway`: the sync failed; the message and the log say why", ...ErrorRef };
const errors = { 400: badDates, 502: failed, ...errorAnswers("conflict") };

const tags = ["BigQuery"];
const reading = { tags, querystring: AccountQuery, guard: readingAccount("viewer") };
const writing = { tags, querystring: AccountQuery, guard: writingAccountOfOrganization };
const LogParams = Type.Object({ log_id: Id() });

/** Routes that begin syncs of a site, and that show them. */
export function registerSyncs(app: App, deps: BigQueryDeps, url: string): void {
	const { metadata } = deps;
	/** Days that are asked for, in parts, each of which may fail without the others. */
	const partsOf = (site: SyncedSite, days: Days, chunkDays: number) =>
		chunksOf(checkedDays(days, site.timezone, deps.clock), chunkDays);
	addRoute(app, `POST ${url}/sync`, {
		...writing,
		summary: "Sync days now; they replace the same days in BigQuery",
		body: Type.Object(
			{
				date_from: Type.Optional(day("First day; default: two days before the last sync")),
				date_to: Type.Optional(day("Last day; default: today")),
			},
			optionalBody,
		),
		answer: Sync,
		errors,
		handler: async ({ site, body }) =>
			presentSync(
				await ask(deps, site, (_, integration) => {
					const due = dueDays(integration, todayIn(site.timezone, deps.clock));
					const days = { from: body.date_from ?? due.from, to: body.date_to ?? due.to };
					return { type: "incremental", chunks: partsOf(site, days, USUAL_CHUNK_DAYS) };
				}),
			),
	});
	addRoute(app, `POST ${url}/backfill`, {
		...writing,
		summary: "Sync up to a year of past days, in parts",
		body: Type.Object({
			date_from: day("First day, in the site's time zone"),
			date_to: day("Last day"),
			chunk_days: Type.Integer({ minimum: 1, maximum: 30, default: 7, description: "Days per part" }),
		}),
		answer: Backfill,
		errors,
		handler: async ({ site, body }) => {
			const days = { from: body.date_from, to: body.date_to };
			const chosen = () => ({ type: "backfill", chunks: partsOf(site, days, body.chunk_days) }) as const;
			return presentBackfill(await ask(deps, site, chosen));
		},
	});
	addRoute(app, `POST ${url}/retry/:log_id`, {
		...writing,
		summary: "Retry the failed part of a sync",
		params: LogParams,
		answer: Retry,
		errors: { 502: failed, ...errorAnswers("conflict") },
		handler: async ({ site, params }) => {
			const row = await ask(deps, site, async (trx) => {
				const failed = await getSync(trx, site.id, params.log_id);
				if (failed.status !== "failed" && failed.status !== "partial") {
					const message = `The sync is ${failed.status}: only a failed sync can be retried`;
					throw new ServiceError("conflict", message);
				}
				return { type: "retry", chunks: failedIn(failed).map(({ from, to }) => ({ from, to })) };
			});
			return presentRetry(row, params.log_id);
		},
	});
	addRoute(app, `GET ${url}/logs`, {
		...reading,
		summary: "Syncs of a site, newest first",
		querystring: Type.Object({ ...account, ...limitAndOffset({ limit: 20, max: 100 }) }),
		answer: Type.Object({ logs: Type.Array(Log), total: Type.Integer() }),
		handler: async ({ site, query }) => {
			const { rows, total } = await syncs.page(metadata, { site_id: site.id }, ["id desc"], query);
			return { logs: rows.map(presentLog), total };
		},
	});
	addRoute(app, `GET ${url}/logs/:log_id`, {
		...reading,
		summary: "One sync of the log",
		params: LogParams,
		answer: Log,
		handler: async ({ site, params }) => presentLog(await getSync(metadata, site.id, params.log_id)),
	});
}
