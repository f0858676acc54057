import { type NewRow, type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { type PageRequest, pageOf } from "../../../platform/metadata/page-of.ts";

export type IntegrationRow = Row<"bigquery_integrations">;

const selectIntegrations = (metadata: Metadata) => tables(metadata).selectFrom("bigquery_integrations").selectAll();

export const findIntegration = (metadata: Metadata, siteId: string): Promise<IntegrationRow | undefined> =>
	selectIntegrations(metadata).where("site_id", "=", siteId).executeTakeFirst();

export const insertIntegration = (metadata: Metadata, row: NewRow<"bigquery_integrations">): Promise<IntegrationRow> =>
	tables(metadata).insertInto("bigquery_integrations").values(row).returningAll().executeTakeFirstOrThrow();

export const updateIntegration = (
	metadata: Metadata,
	id: number,
	changes: Partial<Omit<IntegrationRow, "id" | "site_id">>,
): Promise<IntegrationRow | undefined> =>
	tables(metadata)
		.updateTable("bigquery_integrations")
		.set(changes)
		.where("id", "=", id)
		.returningAll()
		.executeTakeFirst();

/** Removes the integration of a site with its log. */
export async function deleteIntegration(trx: Metadata, siteId: string): Promise<void> {
	await tables(trx).deleteFrom("bigquery_syncs").where("site_id", "=", siteId).execute();
	await tables(trx).deleteFrom("bigquery_integrations").where("site_id", "=", siteId).execute();
}

export const selectDue = (metadata: Metadata, nowMs: number): Promise<IntegrationRow[]> =>
	selectIntegrations(metadata)
		.where("next_sync_at", "<=", nowMs)
		.where("is_active", "=", 1)
		.orderBy("next_sync_at")
		.execute();

/** Takes a turn: false when somebody else has. */
export async function takeTurn(
	metadata: Metadata,
	{ id, next_sync_at: turn }: Pick<IntegrationRow, "id" | "next_sync_at">,
	next: number | null,
): Promise<boolean> {
	const taken = await tables(metadata)
		.updateTable("bigquery_integrations")
		.set({ next_sync_at: next })
		.where("id", "=", id)
		.where("next_sync_at", "=", turn)
		.returning("id")
		.executeTakeFirst();
	return taken !== undefined;
}

export const selectSealedKeys = (metadata: Metadata) =>
	tables(metadata).selectFrom("bigquery_integrations").select(["id", "site_id", "sealed_key"]).orderBy("id").execute();

/** Replaces a sealed key, unless it was changed since. */
export async function replaceSealedKey(
	metadata: Metadata,
	row: Pick<IntegrationRow, "id" | "sealed_key">,
	sealedKey: string,
): Promise<void> {
	await tables(metadata)
		.updateTable("bigquery_integrations")
		.set({ sealed_key: sealedKey })
		.where("id", "=", row.id)
		.where("sealed_key", "=", row.sealed_key)
		.execute();
}

export type SyncRow = Row<"bigquery_syncs">;

const selectSyncs = (metadata: Metadata) => tables(metadata).selectFrom("bigquery_syncs").selectAll();

export const insertSync = (trx: Metadata, row: NewRow<"bigquery_syncs">): Promise<SyncRow> =>
	tables(trx).insertInto("bigquery_syncs").values(row).returningAll().executeTakeFirstOrThrow();

export const findSync = (metadata: Metadata, syncId: string): Promise<SyncRow | undefined> =>
	selectSyncs(metadata).where("sync_id", "=", syncId).executeTakeFirst();

export const findSiteSync = (metadata: Metadata, siteId: string, id: number): Promise<SyncRow | undefined> =>
	selectSyncs(metadata).where("site_id", "=", siteId).where("id", "=", id).executeTakeFirst();

export const findRunning = (metadata: Metadata, siteId: string): Promise<SyncRow | undefined> =>
	selectSyncs(metadata).where("running_site_id", "=", siteId).executeTakeFirst();

/** Syncs of the site, newest first, and the number of all. */
export async function listSyncs(metadata: Metadata, siteId: string, page: PageRequest) {
	const all = tables(metadata).selectFrom("bigquery_syncs").where("site_id", "=", siteId);
	return pageOf(all, (query) => query.selectAll().orderBy("id", "desc"), page);
}

/** Changes a sync while it runs; undefined when it does no longer. */
export const updateRunning = (
	metadata: Metadata,
	syncId: string,
	changes: Partial<Omit<SyncRow, "id" | "sync_id" | "site_id">>,
): Promise<SyncRow | undefined> =>
	tables(metadata)
		.updateTable("bigquery_syncs")
		.set(changes)
		.where("sync_id", "=", syncId)
		.where("status", "=", "running")
		.returningAll()
		.executeTakeFirst();

export async function forgetSyncs(metadata: Metadata, before: number): Promise<void> {
	await tables(metadata)
		.deleteFrom("bigquery_syncs")
		.where("status", "!=", "running")
		.where("started_at", "<", before)
		.execute();
}
