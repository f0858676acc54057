import { sql } from "kysely";
import type { Metadata } from "../../src/platform/metadata/metadata.ts";
import { engineOf } from "../../src/platform/metadata/metadata.ts";

/**
 * The tables of a store and of nobody else: in the same PostgreSQL other test files make and drop schemas of their own, which a
 * look at all of them would trip over.
 */
export async function ownTables(metadata: Metadata) {
	const columns =
		engineOf(metadata) === "sqlite"
			? sql<Column>`select owner.name as "table", part.name, part.type, part."notnull" = 0 and part.pk = 0 as nullable
				from sqlite_schema owner, pragma_table_info(owner.name) part
				where owner.type = 'table' and owner.name not like 'sqlite_%' order by owner.name, part.cid`
			: sql<Column>`select table_name as "table", column_name as name, data_type as type, is_nullable = 'YES' as nullable
				from information_schema.columns where table_schema = current_schema() order by table_name, ordinal_position`;
	const { rows } = await columns.execute(metadata);
	return [...Map.groupBy(rows, ({ table }) => table)].map(([name, parts]) => ({
		name,
		columns: parts.map((part) => ({ name: part.name, type: part.type, isNullable: Boolean(part.nullable) })),
	}));
}

interface Column {
	readonly table: string;
	readonly name: string;
	readonly type: string;
	readonly nullable: number | boolean;
}
