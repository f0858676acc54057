import { type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

/** An entry as stored. */
export type EntryRow = Row<"blocklist_entries">;
/** Editable fields of an entry. */
export type EntryFields = Pick<EntryRow, "ip_or_cidr" | "reason" | "is_active">;

/** The site's entries, inactive ones included, newest first. */
export const listEntries = (metadata: Metadata, siteId: string): Promise<EntryRow[]> =>
	tables(metadata)
		.selectFrom("blocklist_entries")
		.selectAll()
		.where("site_id", "=", siteId)
		.orderBy("id", "desc")
		.execute();

/** One entry of the site. */
export const findEntry = (metadata: Metadata, siteId: string, id: number): Promise<EntryRow | undefined> =>
	tables(metadata)
		.selectFrom("blocklist_entries")
		.selectAll()
		.where("site_id", "=", siteId)
		.where("id", "=", id)
		.executeTakeFirst();

/** Stores an entry; undefined when the site has its address already. */
export const insertEntry = (metadata: Metadata, row: Omit<EntryRow, "id">): Promise<EntryRow | undefined> =>
	tables(metadata)
		.insertInto("blocklist_entries")
		.values(row)
		.onConflict((conflict) => conflict.columns(["site_id", "ip_or_cidr"]).doNothing())
		.returningAll()
		.executeTakeFirst();

/** Changes an entry of the site; undefined when it has none of this id. */
export const updateEntry = (
	metadata: Metadata,
	siteId: string,
	id: number,
	fields: EntryFields,
): Promise<EntryRow | undefined> =>
	tables(metadata)
		.updateTable("blocklist_entries")
		.set(fields)
		.where("site_id", "=", siteId)
		.where("id", "=", id)
		.returningAll()
		.executeTakeFirst();

/** Removes an entry of the site; undefined when it has none of this id. */
export const deleteEntry = (metadata: Metadata, siteId: string, id: number): Promise<EntryRow | undefined> =>
	tables(metadata)
		.deleteFrom("blocklist_entries")
		.where("site_id", "=", siteId)
		.where("id", "=", id)
		.returningAll()
		.executeTakeFirst();
