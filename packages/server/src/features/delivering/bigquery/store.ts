import { type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import { tableOf } from "../../../../migrations/metadata/tables/table-of.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { type PageRequest, pageOf } from "../../../platform/metadata/page-of.ts";

export const integrations = tableOf("bigquery_integrations");
export const syncs = tableOf("bigquery_syncs");

export type IntegrationRow = Row<"bigquery_integrations">;

const selectIntegrations = (metadata: Metadata) => tables(metadata).selectFrom("bigquery_integrations").selectAll();

export async function deleteIntegration(trx: Metadata, siteId: string): Promise<void> {
	await syncs.delete(trx, { site_id: siteId });
	await integrations.delete(trx, { site_id: siteId });
}

export const selectDue = (metadata: Metadata, nowMs: number): Promise<IntegrationRow[]> =>
	selectIntegrations(metadata)
		.where("next_sync_at", "<=", nowMs)
		.where("is_active", "=", 1)
		.orderBy("next_sync_at")
		.execute();

export type SyncRow = Row<"bigquery_syncs">;

export async function listSyncs(metadata: Metadata, siteId: string, page: PageRequest) {
	const all = tables(metadata).selectFrom("bigquery_syncs").where("site_id", "=", siteId);
	return pageOf(all, (query) => query.selectAll().orderBy("id", "desc"), page);
}

/** Changes a sync while it runs; undefined when it does no longer. */
export const updateRunning = (
	metadata: Metadata,
	syncId: string,
	changes: Partial<SyncRow>,
): Promise<SyncRow | undefined> => syncs.update(metadata, { sync_id: syncId, status: "running" }, changes);

export async function forgetSyncs(metadata: Metadata, before: number): Promise<void> {
	await tables(metadata)
		.deleteFrom("bigquery_syncs")
		.where("status", "!=", "running")
		.where("started_at", "<", before)
		.execute();
}
