import { todayIn } from "../../../analytics/query/question/resolve-range.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { uuid } from "../../../platform/lib/ids.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { lockOrganization } from "../../tenancy/organizations/index.ts";
import type { BigQueryDeps } from "./deps.ts";
import { integrationNotFound } from "./open-warehouse.ts";
import { findIntegration, findRunning, findSiteSync, type IntegrationRow, insertSync, type SyncRow } from "./store.ts";
import { checkedDays, chunksOf, type Days, dueDays, type FailedDays, USUAL_CHUNK_DAYS } from "./sync-days.ts";

export const SYNC_JOB = "bigquery-sync";

export interface SyncedSite {
	readonly id: string;
	readonly timezone: string;
	readonly organizationId: string;
}

interface NewSync {
	readonly type: SyncRow["sync_type"];
	readonly chunks: readonly Days[];
}

type StartDeps = Pick<BigQueryDeps, "jobs" | "clock">;

/** Begins a sync within a transaction that holds the organization's lock; undefined when one of the site runs. */
export async function startSync(
	{ jobs, clock }: StartDeps,
	trx: Metadata,
	{ site, integration }: { readonly site: Omit<SyncedSite, "timezone">; readonly integration: IntegrationRow },
	{ type, chunks }: NewSync,
): Promise<SyncRow | undefined> {
	if ((await findRunning(trx, site.id)) !== undefined) return undefined;
	const days = chunks.flatMap(({ from, to }) => [from, to]).sort();
	const row = await insertSync(trx, {
		sync_id: uuid(),
		site_id: site.id,
		running_site_id: site.id,
		sync_type: type,
		date_from: days[0] ?? "",
		date_to: days.at(-1) ?? "",
		data_types: integration.data_types,
		chunks: JSON.stringify(chunks),
		chunks_done: 0,
		failed_chunks: "[]",
		tables_synced: "{}",
		status: "running",
		error_message: null,
		started_at: clock.now(),
		completed_at: null,
	});
	const payload = { syncId: row.sync_id };
	await jobs.enqueue(trx, { kind: SYNC_JOB, payload, uniqueKey: row.sync_id, lane: site.organizationId });
	return row;
}

const isRunning = () => new ServiceError("conflict", { message: "A sync of the site is already running" });

/** Begins a sync that a user asks for. 404 without an integration, 409 while it is paused or a sync runs. */
function ask(
	deps: BigQueryDeps,
	site: SyncedSite,
	choose: (trx: Metadata, integration: IntegrationRow) => Promise<NewSync> | NewSync,
): Promise<SyncRow> {
	return deps.metadata.transaction().execute(async (trx) => {
		await lockOrganization(trx, site.organizationId);
		const integration = await findIntegration(trx, site.id);
		if (integration === undefined) throw integrationNotFound();
		const chosen = await choose(trx, integration);
		if (integration.is_active !== 1) {
			throw new ServiceError("conflict", { message: "The integration is paused: set is_active to true" });
		}
		const row = await startSync(deps, trx, { site, integration }, chosen);
		if (row === undefined) throw isRunning();
		return row;
	});
}

/** Syncs the days asked for, those that are due where none are. */
export const askSync = (deps: BigQueryDeps, site: SyncedSite, asked: Partial<Days>): Promise<SyncRow> =>
	ask(deps, site, (_, integration) => {
		const due = dueDays(integration, todayIn(site.timezone, deps.clock));
		const days = checkedDays({ from: asked.from ?? due.from, to: asked.to ?? due.to }, site.timezone, deps.clock);
		return { type: "incremental", chunks: chunksOf(days, USUAL_CHUNK_DAYS) };
	});

/** Syncs days of the past in parts, each of which may fail without the others. */
export const askBackfill = (deps: BigQueryDeps, site: SyncedSite, days: Days, chunkDays: number): Promise<SyncRow> =>
	ask(deps, site, () => ({
		type: "backfill",
		chunks: chunksOf(checkedDays(days, site.timezone, deps.clock), chunkDays),
	}));

/** Syncs again what of a sync has failed. 404 for none of the site, 409 for one that did not fail. */
export const askRetry = (deps: BigQueryDeps, site: SyncedSite, id: number): Promise<SyncRow> =>
	ask(deps, site, async (trx) => {
		const failed = await findSiteSync(trx, site.id, id);
		if (failed === undefined) throw syncNotFound();
		if (failed.status !== "failed" && failed.status !== "partial") {
			throw new ServiceError("conflict", {
				message: `The sync is ${failed.status}: only a failed sync can be retried`,
			});
		}
		const chunks = (JSON.parse(failed.failed_chunks) as FailedDays[]).map(({ from, to }) => ({ from, to }));
		return { type: "retry", chunks };
	});

export const syncNotFound = () => new ServiceError("not_found", { message: "Sync not found" });
