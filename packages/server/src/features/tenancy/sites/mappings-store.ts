import { type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

/** A UTM mapping as stored. */
export type MappingRow = Row<"utm_mappings">;

/** Mappings of a site, inactive ones included, oldest first. */
export const listMappings = (metadata: Metadata, siteId: string): Promise<MappingRow[]> =>
	tables(metadata).selectFrom("utm_mappings").selectAll().where("site_id", "=", siteId).orderBy("id").execute();

/** How many mappings a site has, inactive ones included. */
export async function countMappings(metadata: Metadata, siteId: string): Promise<number> {
	const { count } = await tables(metadata)
		.selectFrom("utm_mappings")
		.select((query) => query.fn.countAll<number>().as("count"))
		.where("site_id", "=", siteId)
		.executeTakeFirstOrThrow();
	return Number(count);
}

/** One mapping of the site. */
export const findMapping = (metadata: Metadata, siteId: string, id: number): Promise<MappingRow | undefined> =>
	tables(metadata)
		.selectFrom("utm_mappings")
		.selectAll()
		.where("site_id", "=", siteId)
		.where("id", "=", id)
		.executeTakeFirst();

/** Adds a mapping; undefined when the site maps the parameter already. */
export const insertMapping = (
	metadata: Metadata,
	mapping: Pick<MappingRow, "site_id" | "custom_param" | "maps_to" | "created_at">,
): Promise<MappingRow | undefined> =>
	tables(metadata)
		.insertInto("utm_mappings")
		.values({ ...mapping, is_active: 1 })
		.onConflict((conflict) => conflict.columns(["site_id", "custom_param"]).doNothing())
		.returningAll()
		.executeTakeFirst();

/** Changes a mapping of the site; undefined when it has none of this id. */
export const updateMapping = (
	metadata: Metadata,
	siteId: string,
	id: number,
	changes: Partial<Pick<MappingRow, "maps_to" | "is_active">>,
): Promise<MappingRow | undefined> =>
	tables(metadata)
		.updateTable("utm_mappings")
		// A column set to itself keeps the statement whole when nothing is to change.
		.set((query) => ({ custom_param: query.ref("custom_param"), ...changes }))
		.where("site_id", "=", siteId)
		.where("id", "=", id)
		.returningAll()
		.executeTakeFirst();

/** Removes the mapping of a parameter; undefined when the site has none. */
export const deleteMapping = (
	metadata: Metadata,
	siteId: string,
	customParam: string,
): Promise<MappingRow | undefined> =>
	tables(metadata)
		.deleteFrom("utm_mappings")
		.where("site_id", "=", siteId)
		.where("custom_param", "=", customParam)
		.returningAll()
		.executeTakeFirst();
