import { type NewRow, type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

/** A sync as stored. */
export type SyncRow = Row<"bigquery_syncs">;

type Changes = Partial<Omit<SyncRow, "id" | "sync_id" | "site_id">>;

/** Stores a new one. */
export const insertSync = (trx: Metadata, row: NewRow<"bigquery_syncs">): Promise<SyncRow> =>
	tables(trx).insertInto("bigquery_syncs").values(row).returningAll().executeTakeFirstOrThrow();

/** A sync by its UUID. */
export const findSync = (metadata: Metadata, syncId: string): Promise<SyncRow | undefined> =>
	tables(metadata).selectFrom("bigquery_syncs").selectAll().where("sync_id", "=", syncId).executeTakeFirst();

/** A sync of the site by its number in the log. */
export const findSiteSync = (metadata: Metadata, siteId: string, id: number): Promise<SyncRow | undefined> =>
	tables(metadata)
		.selectFrom("bigquery_syncs")
		.selectAll()
		.where("site_id", "=", siteId)
		.where("id", "=", id)
		.executeTakeFirst();

/** The sync of a site that runs. */
export const findRunning = (metadata: Metadata, siteId: string): Promise<SyncRow | undefined> =>
	tables(metadata).selectFrom("bigquery_syncs").selectAll().where("running_site_id", "=", siteId).executeTakeFirst();

/** Syncs of the site, newest first, and the number of all. */
export async function listSyncs(
	metadata: Metadata,
	siteId: string,
	{ limit, offset }: { readonly limit: number; readonly offset: number },
) {
	const all = tables(metadata).selectFrom("bigquery_syncs").where("site_id", "=", siteId);
	const [rows, { total }] = await Promise.all([
		all.selectAll().orderBy("id", "desc").limit(limit).offset(offset).execute(),
		all.select((query) => query.fn.countAll<number>().as("total")).executeTakeFirstOrThrow(),
	]);
	return { rows, total: Number(total) };
}

/** Changes a sync while it runs; undefined when it does no longer. */
export const updateRunning = (metadata: Metadata, syncId: string, changes: Changes): Promise<SyncRow | undefined> =>
	tables(metadata)
		.updateTable("bigquery_syncs")
		.set(changes)
		.where("sync_id", "=", syncId)
		.where("status", "=", "running")
		.returningAll()
		.executeTakeFirst();

/** Forgets syncs that began before a moment. */
export async function forgetSyncs(metadata: Metadata, before: number): Promise<void> {
	await tables(metadata)
		.deleteFrom("bigquery_syncs")
		.where("status", "!=", "running")
		.where("started_at", "<", before)
		.execute();
}
