import type { NewRow, Row, Tables } from "../../../../migrations/metadata/tables/index.ts";
import { inChunks } from "../../../platform/metadata/in-chunks.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

/** A table with records of sites. */
export type SiteTable = {
	[Name in keyof Tables]: Tables[Name] extends { id: unknown; site_id: string; created_at: number } ? Name : never;
}[keyof Tables];

type Columns = Readonly<Record<string, unknown>>;
type Order = readonly (readonly [column: string, direction: "asc" | "desc"])[];

/** Reads and writes of the records of a site in a table; a record of another site is not found. */
export const siteRecords = <Name extends SiteTable>(table: Name) =>
	recordsIn<Row<Name>, NewRow<Name>, Tables[Name]["id"] extends string ? string : number>(table);

/** The same of a table whose columns the compiler does not know. */
export const recordsIn = <Stored, New = Columns, Id = number>(table: string) => {
	const tables = (metadata: Metadata) => metadata.withTables<Record<string, Columns>>();
	const all = (metadata: Metadata, siteId: string) => tables(metadata).selectFrom(table).where("site_id", "=", siteId);
	const inserted = (metadata: Metadata, row: New) =>
		tables(metadata)
			.insertInto(table)
			.values(row as Columns)
			.returningAll()
			.$castTo<Stored>();
	const find = (metadata: Metadata, siteId: string, id: Id): Promise<Stored | undefined> =>
		all(metadata, siteId).where("id", "=", id).selectAll().$castTo<Stored>().executeTakeFirst();
	return {
		find,
		list: (metadata: Metadata, siteId: string, order: Order = [["id", "asc"]]): Promise<Stored[]> =>
			order
				.reduce((query, [column, direction]) => query.orderBy(column, direction), all(metadata, siteId).selectAll())
				.$castTo<Stored>()
				.execute(),
		/** The active records of some sites, oldest first. */
		listActive: (metadata: Metadata, siteIds: readonly string[]): Promise<Stored[]> =>
			inChunks(siteIds, (some) =>
				tables(metadata)
					.selectFrom(table)
					.selectAll()
					.where("is_active", "=", 1)
					.where("site_id", "in", some)
					.orderBy("id")
					.$castTo<Stored>()
					.execute(),
			),
		count: async (metadata: Metadata, siteId: string): Promise<number> => {
			const count = all(metadata, siteId).select((query) => query.fn.countAll().as("count"));
			return Number((await count.executeTakeFirstOrThrow()).count);
		},
		insert: (metadata: Metadata, row: New): Promise<Stored> => inserted(metadata, row).executeTakeFirstOrThrow(),
		/** Undefined when the site has a record with the same value in a column that is unique in a site. */
		insertUnlessTaken: (metadata: Metadata, row: New, column: keyof Stored & string): Promise<Stored | undefined> =>
			inserted(metadata, row)
				.onConflict((conflict) => conflict.columns(["site_id", column]).doNothing())
				.executeTakeFirst(),
		update: (metadata: Metadata, siteId: string, id: Id, changes: Partial<Stored>): Promise<Stored | undefined> =>
			Object.keys(changes).length === 0
				? find(metadata, siteId, id)
				: tables(metadata)
						.updateTable(table)
						.set(changes as Columns)
						.where("site_id", "=", siteId)
						.where("id", "=", id)
						.returningAll()
						.$castTo<Stored>()
						.executeTakeFirst(),
		remove: (metadata: Metadata, siteId: string, id: Id): Promise<Stored | undefined> => {
			const query = tables(metadata).deleteFrom(table).where("site_id", "=", siteId).where("id", "=", id);
			return query.returningAll().$castTo<Stored>().executeTakeFirst();
		},
	};
};
