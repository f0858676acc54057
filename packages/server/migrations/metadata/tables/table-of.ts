import type { ExpressionBuilder } from "kysely";
import type { Metadata } from "../../../src/platform/metadata/metadata.ts";
import type { NewRow, Row, Tables } from "./index.ts";

/** Conditions by column: a value, null, or a list of at least one value, one of which must match. */
type Where<Name extends keyof Tables> = {
	readonly [Column in keyof Row<Name>]?: Row<Name>[Column] | readonly Row<Name>[Column][];
};

type Changes<Name extends keyof Tables> = Partial<Row<Name>>;

/** The columns are checked by the types of `tableOf`. */
type Loose = Record<string, Record<string, unknown>>;

const matches = (where: object) => (query: ExpressionBuilder<Loose, string>) =>
	query.and(
		Object.entries(where).map(([column, value]) =>
			query(column, Array.isArray(value) ? "in" : value === null ? "is" : "=", value),
		),
	);

/** The plain statements on a table. Statements that join or compare by other operators are written out. */
export function tableOf<Name extends keyof Tables>(table: Name) {
	const name: string = table;
	const db = (metadata: Metadata) => metadata.withTables<Loose>();
	const select = (metadata: Metadata, where: Where<Name>) => db(metadata).selectFrom(name).where(matches(where));
	const updateAll = (metadata: Metadata, where: Where<Name>, changes: Changes<Name>): Promise<Row<Name>[]> =>
		db(metadata).updateTable(name).set(changes).where(matches(where)).returningAll().$castTo<Row<Name>>().execute();
	return {
		find: (metadata: Metadata, where: Where<Name>): Promise<Row<Name> | undefined> =>
			select(metadata, where).selectAll().$castTo<Row<Name>>().executeTakeFirst(),
		list: (
			metadata: Metadata,
			where: Where<Name>,
			...order: readonly (keyof Row<Name> & string)[]
		): Promise<Row<Name>[]> =>
			order
				.reduce((query, column) => query.orderBy(column), select(metadata, where).selectAll())
				.$castTo<Row<Name>>()
				.execute(),
		count: async (metadata: Metadata, where: Where<Name>): Promise<number> => {
			const query = select(metadata, where).select(({ fn }) => fn.countAll<number>().as("count"));
			return Number((await query.executeTakeFirstOrThrow()).count);
		},
		insert: (metadata: Metadata, row: NewRow<Name>): Promise<Row<Name>> =>
			db(metadata).insertInto(name).values(row).returningAll().$castTo<Row<Name>>().executeTakeFirstOrThrow(),
		/** Changes the matching rows; one of them, undefined when there are none. */
		update: async (metadata: Metadata, where: Where<Name>, changes: Changes<Name>): Promise<Row<Name> | undefined> =>
			(await updateAll(metadata, where, changes))[0],
		updateAll,
		/** Deletes the matching rows; one of them, undefined when there were none. */
		delete: (metadata: Metadata, where: Where<Name>): Promise<Row<Name> | undefined> =>
			db(metadata).deleteFrom(name).where(matches(where)).returningAll().$castTo<Row<Name>>().executeTakeFirst(),
	};
}
