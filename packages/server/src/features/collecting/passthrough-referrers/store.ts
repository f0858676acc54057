import { type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

/** A passthrough referrer as stored. */
export type PassthroughRow = Row<"passthrough_referrers">;

/** The site's referrers, inactive ones included, newest first. */
export const listReferrers = (metadata: Metadata, siteId: string): Promise<PassthroughRow[]> =>
	tables(metadata)
		.selectFrom("passthrough_referrers")
		.selectAll()
		.where("site_id", "=", siteId)
		.orderBy("id", "desc")
		.execute();

/** The active referrers of the sites named, or of all. */
export async function listActiveReferrers(
	metadata: Metadata,
	siteIds: readonly string[] | undefined,
): Promise<PassthroughRow[]> {
	if (siteIds?.length === 0) return [];
	const query = tables(metadata).selectFrom("passthrough_referrers").selectAll().where("is_active", "=", 1);
	return (siteIds === undefined ? query : query.where("site_id", "in", siteIds)).execute();
}

/** One referrer of the site. */
export const findReferrer = (metadata: Metadata, siteId: string, id: number): Promise<PassthroughRow | undefined> =>
	tables(metadata)
		.selectFrom("passthrough_referrers")
		.selectAll()
		.where("site_id", "=", siteId)
		.where("id", "=", id)
		.executeTakeFirst();

/** Stores a referrer; undefined when the site has its domain already. */
export const insertReferrer = (
	metadata: Metadata,
	row: Omit<PassthroughRow, "id">,
): Promise<PassthroughRow | undefined> =>
	tables(metadata)
		.insertInto("passthrough_referrers")
		.values(row)
		.onConflict((conflict) => conflict.columns(["site_id", "domain"]).doNothing())
		.returningAll()
		.executeTakeFirst();

/** Changes a referrer of the site; undefined when it has none of this id. */
export const updateReferrer = (
	metadata: Metadata,
	siteId: string,
	id: number,
	changes: Partial<Omit<PassthroughRow, "id" | "site_id" | "created_at">>,
): Promise<PassthroughRow | undefined> =>
	tables(metadata)
		.updateTable("passthrough_referrers")
		.set(changes)
		.where("site_id", "=", siteId)
		.where("id", "=", id)
		.returningAll()
		.executeTakeFirst();

/** Removes a referrer of the site; undefined when it has none of this id. */
export const deleteReferrer = (metadata: Metadata, siteId: string, id: number): Promise<PassthroughRow | undefined> =>
	tables(metadata)
		.deleteFrom("passthrough_referrers")
		.where("site_id", "=", siteId)
		.where("id", "=", id)
		.returningAll()
		.executeTakeFirst();
