import { sql } from "kysely";
import type { Metadata } from "./metadata.ts";

/** A table as the migrations made it. */
export interface TableShape {
	readonly name: string;
	readonly columns: readonly string[];
	/** Columns of the primary key. */
	readonly key: readonly string[];
	/** The column whose numbers the store gives; undefined when there is none. */
	readonly counted: string | undefined;
}

/** Bookkeeping of each store. */
const OWN = "metadata_migrations";

/** The tables of a store on SQLite, those first that others refer to. */
export async function describeTables(sqlite: Metadata): Promise<TableShape[]> {
	const { rows: columns } = await sql<{ table: string; name: string; pk: number; statement: string }>`
		select owner.name as "table", part.name, part.pk, owner.sql as statement
		from sqlite_schema owner, pragma_table_info(owner.name) part
		where owner.type = 'table' and owner.name not like 'sqlite_%' and owner.name != ${OWN}
		order by owner.rowid, part.cid`.execute(sqlite);
	const { rows: references } = await sql<{ table: string; to: string }>`
		select owner.name as "table", reference."table" as "to"
		from sqlite_schema owner, pragma_foreign_key_list(owner.name) reference where owner.type = 'table'`.execute(sqlite);
	const byTable = Map.groupBy(columns, ({ table }) => table);
	const shapes = [...byTable].map(([name, parts]): TableShape => {
		const key = parts.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
		const isCounted = /\bautoincrement\b/i.test(parts[0]?.statement ?? "");
		return {
			name,
			columns: parts.map((part) => part.name),
			key: key.map((part) => part.name),
			counted: isCounted ? key[0]?.name : undefined,
		};
	});
	return inOrder(shapes, references);
}

function inOrder(
	shapes: readonly TableShape[],
	references: readonly { readonly table: string; readonly to: string }[],
): TableShape[] {
	const placed: TableShape[] = [];
	const left = new Set(shapes);
	while (left.size > 0) {
		const names = new Set([...left].map(({ name }) => name));
		const free = [...left].filter(
			({ name }) => !references.some(({ table, to }) => table === name && to !== name && names.has(to)),
		);
		if (free.length === 0) throw new Error(`Tables refer to each other in a circle: ${[...names].join(", ")}`);
		for (const shape of free) left.delete(shape);
		placed.push(...free);
	}
	return placed;
}
