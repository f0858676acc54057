import { Type } from "typebox";
import { todayIn } from "../../../analytics/query/question/resolve-range.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { presentRow } from "../../../platform/http/present-row.ts";
import { uuid } from "../../../platform/lib/ids.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { addedFields } from "../../auditing/audit-log/index.ts";
import { changeInTurn, lockOrganization, type SiteChange } from "../../tenancy/organizations/index.ts";
import type { BigQueryDeps } from "./deps.ts";
import { readServiceAccount } from "./google/authorized.ts";
import { addressOf, answering, createTables, getIntegration, openWarehouse, sealKey } from "./open-warehouse.ts";
import { type DataType, Integration } from "./schemas.ts";
import { type IntegrationRow, integrations, type SyncRow, syncs } from "./store.ts";
import {
	checkedDays,
	chunksOf,
	type Days,
	dueDays,
	type FailedDays,
	initialDays,
	nextTurn,
	USUAL_CHUNK_DAYS,
} from "./sync-days.ts";

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
	if ((await syncs.find(trx, { running_site_id: site.id })) !== undefined) return undefined;
	const days = chunks.flatMap(({ from, to }) => [from, to]).sort();
	const row = await syncs.insert(trx, {
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
		started_at: clock.now(),
	});
	const payload = { syncId: row.sync_id };
	await jobs.enqueue(trx, { kind: SYNC_JOB, payload, uniqueKey: row.sync_id, lane: site.organizationId });
	return row;
}

/** Begins a sync that a user asks for. 404 without an integration, 409 while it is paused or a sync runs. */
function ask(
	deps: BigQueryDeps,
	site: SyncedSite,
	choose: (trx: Metadata, integration: IntegrationRow) => Promise<NewSync> | NewSync,
): Promise<SyncRow> {
	return deps.metadata.transaction().execute(async (trx) => {
		await lockOrganization(trx, site.organizationId);
		const integration = await getIntegration(trx, site.id);
		const chosen = await choose(trx, integration);
		if (integration.is_active !== 1) {
			throw new ServiceError("conflict", { message: "The integration is paused: set is_active to true" });
		}
		const row = await startSync(deps, trx, { site, integration }, chosen);
		if (row === undefined) throw new ServiceError("conflict", { message: "A sync of the site is already running" });
		return row;
	});
}

/** Syncs the days asked for, those that are due where none are. */
export const askSync = (
	deps: BigQueryDeps,
	site: SyncedSite,
	asked: { readonly date_from?: string; readonly date_to?: string },
): Promise<SyncRow> =>
	ask(deps, site, (_, integration) => {
		const due = dueDays(integration, todayIn(site.timezone, deps.clock));
		const days = { from: asked.date_from ?? due.from, to: asked.date_to ?? due.to };
		return { type: "incremental", chunks: chunksOf(checkedDays(days, site.timezone, deps.clock), USUAL_CHUNK_DAYS) };
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
		const failed = await getSync(trx, site.id, id);
		if (failed.status !== "failed" && failed.status !== "partial") {
			throw new ServiceError("conflict", {
				message: `The sync is ${failed.status}: only a failed sync can be retried`,
			});
		}
		const chunks = (JSON.parse(failed.failed_chunks) as FailedDays[]).map(({ from, to }) => ({ from, to }));
		return { type: "retry", chunks };
	});

export const syncNotFound = () => new ServiceError("not_found", { message: "Sync not found" });

/** A sync of a site; throws `not_found`. */
export async function getSync(metadata: Metadata, siteId: string, id: number): Promise<SyncRow> {
	const row = await syncs.find(metadata, { site_id: siteId, id });
	if (row === undefined) throw syncNotFound();
	return row;
}

const chosen = [
	"gcp_project_id",
	"dataset_id",
	"location",
	"sync_frequency",
	"backfill_days",
	"initial_date_from",
	"initial_date_to",
] as const;

export interface ConnectInput extends Pick<IntegrationRow, (typeof chosen)[number]> {
	readonly service_account: Readonly<Record<string, unknown>>;
	readonly data_types: readonly DataType[];
}

const Audited = Type.Pick(Integration, [...chosen, "is_active"]);

export const audited = (row: IntegrationRow) => ({
	...presentRow(Audited, row),
	data_types: JSON.parse(row.data_types) as DataType[],
});

const alreadyThere = () =>
	new ServiceError("duplicate_entry", { message: "BigQuery is already connected; DELETE disconnects it" });

/**
 * Connects a site: the key is tried, dataset and tables are created, the first sync is begun. Nothing is kept of what does not
 * work. Throws `duplicate_entry`, 400 for a key or dates of no use, 502 when BigQuery refuses.
 */
export async function connect(
	deps: BigQueryDeps,
	by: SiteChange & { readonly site: SyncedSite },
	input: ConnectInput,
): Promise<IntegrationRow> {
	const { metadata, clock } = deps;
	const { site, actor } = by;
	if ((await integrations.find(metadata, { site_id: site.id })) !== undefined) throw alreadyThere();
	const { initial_date_from: from, initial_date_to: to } = input;
	if (from !== null && to !== null) checkedDays({ from, to }, site.timezone, clock);
	const account = await readServiceAccount(input.service_account);
	const warehouse = openWarehouse(deps, account, addressOf(input));
	const names = await answering(() => createTables(warehouse, input.location, input.data_types));
	return changeInTurn(deps, by, async (trx, now) => {
		if ((await integrations.find(trx, { site_id: site.id })) !== undefined) throw alreadyThere();
		const row = await integrations.insert(trx, {
			site_id: site.id,
			gcp_project_id: input.gcp_project_id,
			dataset_id: input.dataset_id,
			location: input.location,
			service_account_email: account.client_email,
			sealed_key: sealKey(deps, site.id, account),
			sync_frequency: input.sync_frequency,
			data_types: JSON.stringify(input.data_types),
			backfill_days: input.backfill_days,
			initial_date_from: input.initial_date_from,
			initial_date_to: input.initial_date_to,
			is_active: 1,
			next_sync_at: nextTurn(site, { ...input, is_active: 1 }, now),
			tables_created: JSON.stringify(names),
			setup_completed_at: now,
			created_by: actor.userId,
			created_at: now,
			updated_at: now,
		});
		const chunks = chunksOf(initialDays(row, todayIn(site.timezone, clock)), USUAL_CHUNK_DAYS);
		await startSync(deps, trx, { site, integration: row }, { type: "initial", chunks });
		const details = addedFields(audited(row));
		return { answer: row, entry: { action: "bigquery.created", resourceId: row.id, details } };
	});
}
