import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { CollectionRow, SiteCollection } from "./collection.ts";

type Columns = Readonly<Record<string, unknown>>;
type Collection = Pick<SiteCollection, "table" | "more" | "unique" | "list">;

/** A collection's table, whose columns are known by the names of the fields and not to the compiler. */
const tables = (metadata: Metadata) => metadata.withTables<Record<string, Columns>>();
const recordsOf = (metadata: Metadata, { table }: Collection, siteId: string) =>
	tables(metadata).selectFrom(table).where("site_id", "=", siteId);

/** The site's records, inactive ones included. */
export function listRecords(metadata: Metadata, collection: Collection, siteId: string): Promise<CollectionRow[]> {
	let query = recordsOf(metadata, collection, siteId).selectAll().$castTo<CollectionRow>();
	for (const [column, direction] of collection.list?.order ?? []) query = query.orderBy(column, direction);
	return query.execute();
}

export function findRecord(
	metadata: Metadata,
	collection: Collection,
	siteId: string,
	id: number,
): Promise<CollectionRow | undefined> {
	if (collection.more !== undefined) return collection.more.find(metadata, siteId, id);
	const query = recordsOf(metadata, collection, siteId).where("id", "=", id);
	return query.selectAll().$castTo<CollectionRow>().executeTakeFirst();
}

/** Number of the site's records, inactive ones included. */
export async function countRecords(metadata: Metadata, collection: Collection, siteId: string): Promise<number> {
	const { count } = await recordsOf(metadata, collection, siteId)
		.select((query) => query.fn.countAll<number>().as("count"))
		.executeTakeFirstOrThrow();
	return Number(count);
}

/** True when another record of the site has this value in the field that is unique. */
export async function isTaken(
	metadata: Metadata,
	collection: Collection,
	siteId: string,
	{ columns, except = 0 }: { readonly columns: Columns; readonly except?: number },
): Promise<boolean> {
	const { unique } = collection;
	if (unique === undefined || columns[unique.field] === undefined) return false;
	const row = await recordsOf(metadata, collection, siteId)
		.select("id")
		.where(unique.field, "=", columns[unique.field])
		.where("id", "!=", except)
		.executeTakeFirst();
	return row !== undefined;
}

export async function insertRecord(metadata: Metadata, { table }: Collection, columns: Columns): Promise<number> {
	const query = tables(metadata).insertInto(table).values(columns).returning("id").$castTo<{ id: number }>();
	return (await query.executeTakeFirstOrThrow()).id;
}

export async function updateRecord(
	metadata: Metadata,
	{ table }: Collection,
	siteId: string,
	{ id, columns }: { readonly id: number; readonly columns: Columns },
): Promise<void> {
	if (Object.keys(columns).length === 0) return;
	await tables(metadata).updateTable(table).set(columns).where("site_id", "=", siteId).where("id", "=", id).execute();
}

/** Removes a record of the site; undefined when it has none of this id. */
export function deleteRecord(
	metadata: Metadata,
	{ table }: Collection,
	siteId: string,
	id: number,
): Promise<CollectionRow | undefined> {
	const query = tables(metadata).deleteFrom(table).where("site_id", "=", siteId).where("id", "=", id);
	return query.returningAll().$castTo<CollectionRow>().executeTakeFirst();
}
