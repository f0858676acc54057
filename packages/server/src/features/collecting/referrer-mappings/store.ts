import { type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

/** A referrer mapping as stored. */
export type MappingRow = Row<"referrer_mappings">;

/** The site's mappings, inactive ones included, in the order in which they are asked. */
export const listMappings = (metadata: Metadata, siteId: string): Promise<MappingRow[]> =>
	tables(metadata)
		.selectFrom("referrer_mappings")
		.selectAll()
		.where("site_id", "=", siteId)
		.orderBy("priority", "desc")
		.orderBy("id")
		.execute();

/** The active mappings of the sites named, or of all, oldest first. */
export async function listActiveMappings(
	metadata: Metadata,
	siteIds: readonly string[] | undefined,
): Promise<MappingRow[]> {
	if (siteIds?.length === 0) return [];
	const query = tables(metadata).selectFrom("referrer_mappings").selectAll().where("is_active", "=", 1).orderBy("id");
	return (siteIds === undefined ? query : query.where("site_id", "in", siteIds)).execute();
}

/** One mapping of the site. */
export const findMapping = (metadata: Metadata, siteId: string, id: number): Promise<MappingRow | undefined> =>
	tables(metadata)
		.selectFrom("referrer_mappings")
		.selectAll()
		.where("site_id", "=", siteId)
		.where("id", "=", id)
		.executeTakeFirst();

/** Number of the site's mappings, inactive ones included. */
export async function countMappings(metadata: Metadata, siteId: string): Promise<number> {
	const { count } = await tables(metadata)
		.selectFrom("referrer_mappings")
		.select((query) => query.fn.countAll<number>().as("count"))
		.where("site_id", "=", siteId)
		.executeTakeFirstOrThrow();
	return Number(count);
}

/** Stores a mapping. */
export const insertMapping = (metadata: Metadata, row: Omit<MappingRow, "id">): Promise<MappingRow> =>
	tables(metadata).insertInto("referrer_mappings").values(row).returningAll().executeTakeFirstOrThrow();

/** Changes a mapping of the site; undefined when it has none of this id. */
export const updateMapping = (
	metadata: Metadata,
	siteId: string,
	id: number,
	changes: Partial<Omit<MappingRow, "id" | "site_id" | "created_at">>,
): Promise<MappingRow | undefined> =>
	tables(metadata)
		.updateTable("referrer_mappings")
		.set(changes)
		.where("site_id", "=", siteId)
		.where("id", "=", id)
		.returningAll()
		.executeTakeFirst();

/** Removes a mapping of the site; undefined when it has none of this id. */
export const deleteMapping = (metadata: Metadata, siteId: string, id: number): Promise<MappingRow | undefined> =>
	tables(metadata)
		.deleteFrom("referrer_mappings")
		.where("site_id", "=", siteId)
		.where("id", "=", id)
		.returningAll()
		.executeTakeFirst();
