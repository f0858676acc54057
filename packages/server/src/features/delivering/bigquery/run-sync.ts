import { todayIn } from "../../../analytics/query/question/resolve-range.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { JobFailure } from "../../../platform/jobs/job-failure.ts";
import { DAY_MS, MINUTE_MS } from "../../../platform/lib/durations.ts";
import { describeCause } from "../../../platform/log/describe-cause.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { lockOrganization } from "../../tenancy/organizations/index.ts";
import { findSite, type SiteRow } from "../../tenancy/sites/index.ts";
import { SYNC_JOB, startSync } from "./connect.ts";
import type { BigQueryDeps } from "./deps.ts";
import { GoogleError } from "./google/send.ts";
import { createTables, warehouseOf } from "./open-warehouse.ts";
import { type IntegrationRow, integrations, type SyncRow, syncs, updateRunning } from "./store.ts";
import { amountsOf, noteInWarehouse, sumOf, syncChunk, syncDimensions } from "./sync-chunk.ts";
import {
	chunksOf,
	type Days,
	dueDays,
	failedIn,
	initialDays,
	nextTurn,
	throughAfter,
	USUAL_CHUNK_DAYS,
} from "./sync-days.ts";
import type { Warehouse } from "./warehouse/replace-rows.ts";

class Cancelled extends Error {}

interface Running {
	readonly deps: BigQueryDeps;
	readonly signal: AbortSignal;
	readonly integration: IntegrationRow;
	readonly site: SiteRow;
	readonly warehouse: Warehouse;
}

/**
 * Runs a sync from the point where an earlier attempt ended. Temporary failures are thrown, so that the job is retried;
 * all others end the sync. Replaced days are not processed again.
 */
async function runSync(deps: BigQueryDeps, syncId: string, signal: AbortSignal): Promise<void> {
	const sync = await syncs.find(deps.metadata, { sync_id: syncId });
	if (sync?.status !== "running") return;
	const integration = await integrations.find(deps.metadata, { site_id: sync.site_id });
	const site = await findSite(deps.metadata, sync.site_id);
	if (integration === undefined || site?.is_active !== 1) {
		return inTransaction(deps, (trx) => endSync({ ...deps, metadata: trx }, sync, "cancelled", "The site was deleted"));
	}
	try {
		const warehouse = warehouseOf(deps, integration, signal);
		await work({ deps, signal, integration, site, warehouse }, sync);
	} catch (error) {
		if (error instanceof Cancelled) return;
		signal.throwIfAborted();
		const message = reasonOf(error);
		if (mayPass(error)) {
			await updateRunning(deps.metadata, syncId, { error_message: message });
			throw new JobFailure("BigQuery or the event store is not there", { isOurs: false, cause: error });
		}
		deps.log.warn({ site: sync.site_id, cause: describeCause(error) }, "A sync with BigQuery failed");
		await inTransaction(deps, (trx) => failSync(deps, trx, syncId, message));
	}
}

async function work(running: Running, begun: SyncRow): Promise<void> {
	const { deps, integration, site, warehouse } = running;
	const names = await createTables(warehouse, integration.location, JSON.parse(begun.data_types));
	await integrations.update(deps.metadata, { id: integration.id }, { tables_created: JSON.stringify(names) });
	let sync = begun;
	if (sync.chunks_done === 0) {
		const amounts = await syncDimensions(warehouse, sync, site);
		sync = await note(deps, sync, { tables_synced: JSON.stringify(amounts) });
	}
	const chunks = JSON.parse(sync.chunks) as Days[];
	for (const [index, days] of chunks.entries()) {
		if (index < sync.chunks_done) continue;
		const { amounts, error } = await syncChunk({ ...deps, warehouse, signal: running.signal }, sync, site, days);
		sync = await note(deps, sync, {
			chunks_done: index + 1,
			tables_synced: JSON.stringify(sumOf([amountsOf(sync), amounts])),
			...(error !== undefined && { failed_chunks: JSON.stringify([...failedIn(sync), { ...days, error }]) }),
			error_message: null,
		});
	}
	await finish(running, sync, chunks.length);
}

async function finish({ deps, warehouse }: Running, sync: SyncRow, chunks: number): Promise<void> {
	const failed = failedIn(sync);
	const status = failed.length === 0 ? "success" : failed.length < chunks ? "partial" : "failed";
	const error_message = failed.length === 0 ? null : `${failed.length} of ${chunks} parts failed: ${failed[0]?.error}`;
	const end = { status, error_message, completed_at: deps.clock.now(), amounts: amountsOf(sync) } as const;
	await noteInWarehouse(warehouse, sync, end);
	await inTransaction(deps, (trx) => endSync({ ...deps, metadata: trx }, sync, status, error_message));
}

const inTransaction = ({ metadata }: BigQueryDeps, write: (trx: Metadata) => Promise<void>): Promise<void> =>
	metadata.transaction().execute(write);

async function note({ metadata }: BigQueryDeps, sync: SyncRow, changes: Partial<SyncRow>): Promise<SyncRow> {
	const changed = await updateRunning(metadata, sync.sync_id, changes);
	if (changed === undefined) throw new Cancelled();
	return changed;
}

/** Ends a sync as failed with all that it has not done; does nothing for one that has ended. */
async function failSync({ clock }: Pick<BigQueryDeps, "clock">, trx: Metadata, syncId: string, reason?: string) {
	const sync = await syncs.find(trx, { sync_id: syncId });
	if (sync?.status !== "running") return;
	const message = reason ?? sync.error_message ?? "The sync could not be done";
	const left = (JSON.parse(sync.chunks) as Days[]).slice(sync.chunks_done);
	const failed = [...failedIn(sync), ...left.map((days) => ({ ...days, error: message }))];
	const status = failed.length < (JSON.parse(sync.chunks) as Days[]).length ? "partial" : "failed";
	const given = { ...sync, failed_chunks: JSON.stringify(failed) };
	await endSync({ clock, metadata: trx }, given, status, message);
}

/** Ends a sync within a transaction, and notes with the integration how. */
export async function endSync(
	{ metadata: trx, clock }: Pick<BigQueryDeps, "metadata" | "clock">,
	sync: SyncRow,
	status: Exclude<SyncRow["status"], "running">,
	message: string | null,
): Promise<void> {
	const end = { status, error_message: message, completed_at: clock.now(), running_site_id: null };
	const ended = await updateRunning(trx, sync.sync_id, { ...end, failed_chunks: sync.failed_chunks });
	const integration = await integrations.find(trx, { site_id: sync.site_id });
	if (ended === undefined || integration === undefined) return;
	const site = await findSite(trx, sync.site_id);
	const initial = initialDays(integration, todayIn(site?.timezone ?? "UTC", { now: () => integration.created_at }));
	const isWell = status === "success" || status === "partial";
	await integrations.update(
		trx,
		{ id: integration.id },
		{
			last_sync_at: clock.now(),
			last_sync_status: status,
			last_error: message,
			...(isWell && { synced_through: throughAfter(integration.synced_through, ended, failedIn(ended), initial) }),
		},
	);
}

/** True for what may be over in a while: a store that is away, a service that is busy. */
function mayPass(error: unknown): boolean {
	if (error instanceof GoogleError) return error.fault === "passing";
	if (error instanceof ServiceError) return error.code !== "bad_request";
	return !(error instanceof JobFailure && error.isFinal);
}

function reasonOf(error: unknown): string {
	if (error instanceof GoogleError) return error.detail;
	if (error instanceof JobFailure) return error.message;
	if (error instanceof ServiceError && error.code === "bad_request") return error.message;
	if (error instanceof ServiceError && error.code === "database_unavailable") return "The event store is not reachable";
	return "The sync could not be done";
}

/** A process without a sign of life for this long has abandoned its sync, which another process continues. */
const LEASE_MS = MINUTE_MS;
/** The pauses between them make up twenty minutes. */
const ATTEMPTS = 5;
/** More at once would leave reports no place in the engine. */
const SYNCS_AT_ONCE = 2;
const KEPT_MS = 365 * DAY_MS;

/** Says how sites are synced: when their turn comes, when somebody asks, and again after what may pass. */
export function registerSyncJobs(deps: BigQueryDeps): void {
	const { jobs, metadata, clock } = deps;
	jobs.register<{ syncId: string }>(SYNC_JOB, ({ syncId }, { signal }) => runSync(deps, syncId, signal), {
		maxAttempts: ATTEMPTS,
		leaseMs: LEASE_MS,
		concurrency: SYNCS_AT_ONCE,
		// An organization with many sites leaves the other place to others.
		perLane: 1,
		onGivenUp: (trx, { syncId }) => failSync(deps, trx, syncId),
	});
	jobs.schedule("bigquery-turns", "* * * * *", async () => {
		const due = { is_active: 1, next_sync_at: { "<=": clock.now() } };
		for (const one of await integrations.list(metadata, due, "next_sync_at")) await startTurn(deps, one);
	});
	jobs.schedule("bigquery-log", "43 4 * * *", () =>
		syncs.drop(metadata, { status: { "!=": "running" }, started_at: { "<": clock.now() - KEPT_MS } }),
	);
}

/** Begins a sync whose turn has come; one that still runs misses it. */
async function startTurn(deps: BigQueryDeps, integration: IntegrationRow): Promise<void> {
	const { metadata, clock } = deps;
	await metadata.transaction().execute(async (trx) => {
		const site = await findSite(trx, integration.site_id);
		if (site === undefined) return;
		await lockOrganization(trx, site.organization_id);
		const next = nextTurn(site, integration, clock.now());
		const { id, next_sync_at: turn } = integration;
		// Another process may have taken the turn.
		const taken = await integrations.update(trx, { id, next_sync_at: turn }, { next_sync_at: next });
		if (taken === undefined || site.is_active !== 1) return;
		const days = dueDays(integration, todayIn(site.timezone, clock));
		const synced = { id: site.id, organizationId: site.organization_id };
		const chunks = chunksOf(days, USUAL_CHUNK_DAYS);
		await startSync(deps, trx, { site: synced, integration }, { type: "incremental", chunks });
	});
}
