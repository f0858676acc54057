import { type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

export type SegmentRow = Row<"segments">;

/** Own segments of a site, oldest first. */
export const listSegments = (metadata: Metadata, siteId: string): Promise<SegmentRow[]> =>
	tables(metadata)
		.selectFrom("segments")
		.selectAll()
		.where("site_id", "=", siteId)
		.orderBy("created_at")
		.orderBy("name")
		.execute();

export const findOwnSegment = (metadata: Metadata, siteId: string, idOrName: string): Promise<SegmentRow | undefined> =>
	tables(metadata)
		.selectFrom("segments")
		.selectAll()
		.where("site_id", "=", siteId)
		.where((query) => query.or([query("id", "=", idOrName), query("name", "=", idOrName)]))
		.executeTakeFirst();

export async function countSegments(metadata: Metadata, siteId: string): Promise<number> {
	const { count } = await tables(metadata)
		.selectFrom("segments")
		.select((query) => query.fn.countAll<number>().as("count"))
		.where("site_id", "=", siteId)
		.executeTakeFirstOrThrow();
	return Number(count);
}

/** Stores a segment; undefined when the site has one of this name. */
export const insertSegment = (metadata: Metadata, row: SegmentRow): Promise<SegmentRow | undefined> =>
	tables(metadata)
		.insertInto("segments")
		.values(row)
		.onConflict((conflict) => conflict.columns(["site_id", "name"]).doNothing())
		.returningAll()
		.executeTakeFirst();

/** Changes a segment; undefined when it is gone. */
export const updateSegment = (
	metadata: Metadata,
	id: string,
	changes: {
		readonly [Name in "display_name" | "description" | "color" | "filters"]?: SegmentRow[Name] | undefined;
	} & { readonly updated_at: number },
): Promise<SegmentRow | undefined> =>
	tables(metadata).updateTable("segments").set(changes).where("id", "=", id).returningAll().executeTakeFirst();

/** Removes a segment; false when it is gone. */
export async function deleteSegment(metadata: Metadata, id: string): Promise<boolean> {
	const rows = await tables(metadata).deleteFrom("segments").where("id", "=", id).returning("id").execute();
	return rows.length === 1;
}
