import type { ComparisonOperatorExpression, ExpressionBuilder } from "kysely";
import type { Metadata } from "../../../src/platform/metadata/metadata.ts";
import { type PageRequest, pageOf } from "../../../src/platform/metadata/page-of.ts";
import type { NewRow, Row, Tables } from "./index.ts";

type Comparison = "<" | "<=" | ">" | ">=" | "!=" | "is not";

/**
 * Conditions by column: a value, null, a list of at least one value, one of which must match, or comparisons such as
 * `{ "<": 5 }`; a comparison with undefined does not bind.
 */
type Where<Stored> = {
	readonly [Column in keyof Stored]?:
		| Stored[Column]
		| readonly Stored[Column][]
		| { readonly [Operator in Comparison]?: Stored[Column] | undefined };
};

/** New values by column; undefined ones change nothing. */
type Changes<Stored> = { readonly [Column in keyof Stored]?: Stored[Column] | undefined };

/** A column by which rows are sorted, the lowest value first, or `<column> desc`. */
type Order<Stored> = (keyof Stored & string) | `${keyof Stored & string} desc`;

type Columns = Record<string, unknown>;
/** The columns are checked by the types of `tableOf`. */
type Loose = Record<string, Columns>;

function comparisonsWith(value: unknown): readonly (readonly [ComparisonOperatorExpression, unknown])[] {
	if (value === null) return [["is", null]];
	if (Array.isArray(value)) return [["in", value]];
	if (typeof value !== "object") return [["=", value]];
	return Object.entries(value).flatMap(([operator, bound]) =>
		bound === undefined ? [] : [[operator as Comparison, bound]],
	);
}

const matches = (where: object) => (query: ExpressionBuilder<Loose, string>) =>
	query.and(
		Object.entries(where).flatMap(([column, value]) =>
			comparisonsWith(value).map(([operator, compared]) => query(column, operator, compared)),
		),
	);

/** The same for writes. Throws when nothing is left of the conditions: the write would change the whole table. */
function boundBy(where: object) {
	if (Object.values(where).flatMap(comparisonsWith).length === 0) throw new TypeError("A write without conditions");
	return matches(where);
}

/** The plain statements on a table. Statements that join or combine conditions otherwise are written out. */
export const tableOf = <Name extends keyof Tables>(table: Name) => rowsIn<Row<Name>, NewRow<Name>>(table);

/** The same of a table whose columns the compiler does not know. */
export function rowsIn<Stored, New = Columns>(table: string) {
	const db = (metadata: Metadata) => metadata.withTables<Loose>();
	const select = (metadata: Metadata, where: Where<Stored>) => db(metadata).selectFrom(table).where(matches(where));
	const sort = (query: ReturnType<typeof select>, order: readonly Order<Stored>[]) =>
		order
			.map((text) => text.split(" "))
			.reduce(
				(sorted, [column = "", direction]) => sorted.orderBy(column, direction === "desc" ? "desc" : "asc"),
				query.selectAll(),
			)
			.$castTo<Stored>();
	const list = (metadata: Metadata, where: Where<Stored>, ...order: readonly Order<Stored>[]): Promise<Stored[]> =>
		sort(select(metadata, where), order).execute();
	const inserted = (metadata: Metadata, row: New) =>
		db(metadata)
			.insertInto(table)
			.values(row as Columns)
			.returningAll()
			.$castTo<Stored>();
	const updateAll = (metadata: Metadata, where: Where<Stored>, changes: Changes<Stored>): Promise<Stored[]> =>
		Object.values(changes).every((value) => value === undefined)
			? list(metadata, where)
			: db(metadata).updateTable(table).set(changes).where(boundBy(where)).returningAll().$castTo<Stored>().execute();
	const deleteAll = (metadata: Metadata, where: Where<Stored>): Promise<Stored[]> =>
		db(metadata).deleteFrom(table).where(boundBy(where)).returningAll().$castTo<Stored>().execute();
	return {
		/** The first matching row in an order. */
		find: (metadata: Metadata, where: Where<Stored>, ...order: readonly Order<Stored>[]): Promise<Stored | undefined> =>
			sort(select(metadata, where), order).limit(1).executeTakeFirst(),
		list,
		/** The first rows of a sorted list. */
		first: (
			metadata: Metadata,
			limit: number,
			where: Where<Stored>,
			...order: readonly Order<Stored>[]
		): Promise<Stored[]> => sort(select(metadata, where), order).limit(limit).execute(),
		/** The rows of a page, and how many match in all. */
		page: (metadata: Metadata, where: Where<Stored>, order: readonly Order<Stored>[], request: PageRequest) =>
			pageOf(select(metadata, where), (chosen) => sort(chosen, order), request),
		count: async (metadata: Metadata, where: Where<Stored>): Promise<number> => {
			const query = select(metadata, where).select(({ fn }) => fn.countAll<number>().as("count"));
			return Number((await query.executeTakeFirstOrThrow()).count);
		},
		/** The values of a column among the matching rows, each with the number of its rows. */
		countBy: async <Column extends keyof Stored & string>(
			metadata: Metadata,
			column: Column,
			where: Where<Stored>,
		): Promise<(readonly [Stored[Column], number])[]> => {
			const counted = select(metadata, where).select(({ fn }) => [column, fn.countAll<number>().as("count")]);
			const rows = await counted.groupBy(column).$castTo<Stored & { count: number }>().execute();
			return rows.map((row) => [row[column], Number(row.count)]);
		},
		insert: (metadata: Metadata, row: New): Promise<Stored> => inserted(metadata, row).executeTakeFirstOrThrow(),
		/** Undefined when a row has the same values in these columns, which are unique together; without any, in those of some constraint. */
		insertUnlessTaken: (
			metadata: Metadata,
			row: New,
			...columns: readonly (keyof Stored & string)[]
		): Promise<Stored | undefined> =>
			inserted(metadata, row)
				.onConflict((conflict) => (columns.length > 0 ? conflict.columns(columns) : conflict).doNothing())
				.executeTakeFirst(),
		/** Stores a row; one with the same values in these columns, which are unique together, gets the changes instead. */
		upsert: (
			metadata: Metadata,
			row: New,
			columns: readonly (keyof Stored & string)[],
			changes: Changes<Stored>,
		): Promise<Stored> =>
			inserted(metadata, row)
				.onConflict((conflict) => conflict.columns(columns).doUpdateSet(changes))
				.executeTakeFirstOrThrow(),
		/** Changes the matching rows; one of them, undefined when there are none. */
		update: async (metadata: Metadata, where: Where<Stored>, changes: Changes<Stored>): Promise<Stored | undefined> =>
			(await updateAll(metadata, where, changes))[0],
		updateAll,
		/** Makes other writes of the matching rows wait until this transaction ends. The table has a column `updated_at`. */
		lock: async (metadata: Metadata, where: Where<Stored>): Promise<void> => {
			const same = (query: ExpressionBuilder<Loose, string>) => ({ updated_at: query.ref("updated_at") });
			await db(metadata).updateTable(table).set(same).where(boundBy(where)).execute();
		},
		/** Deletes the matching rows; one of them, undefined when there were none. */
		delete: async (metadata: Metadata, where: Where<Stored>): Promise<Stored | undefined> =>
			(await deleteAll(metadata, where))[0],
		deleteAll,
		/** Deletes the matching rows without reading them. */
		drop: async (metadata: Metadata, where: Where<Stored>): Promise<void> => {
			await db(metadata).deleteFrom(table).where(boundBy(where)).execute();
		},
	};
}
