import { sql } from "kysely";
import type { Metadata } from "../../src/platform/metadata/metadata.ts";

type Snapshot = Readonly<Record<string, readonly string[]>>;

/** Every row of every table as text, by table; `without` names columns that do not count as `table.column`, or tables. */
export async function metadataSnapshot(metadata: Metadata, without: readonly string[] = []): Promise<Snapshot> {
	const snapshot: Record<string, readonly string[]> = {};
	for (const name of (await tablesOf(metadata)).filter((table) => !without.includes(table))) {
		const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(metadata);
		const counted = (row: Record<string, unknown>) =>
			Object.entries(row).filter(([column]) => !without.includes(`${name}.${column}`));
		snapshot[name] = rows.map((row) => JSON.stringify(counted(row))).sort();
	}
	return snapshot;
}

/** On PostgreSQL the tables of other test files stand in schemas beside the own. */
async function tablesOf(metadata: Metadata): Promise<string[]> {
	const tables = await metadata.introspection.getTables();
	const isPostgres = tables.some(({ schema }) => schema !== undefined);
	const { rows } = isPostgres
		? await sql<{ own: string }>`select current_schema() as own`.execute(metadata)
		: { rows: [] };
	return tables.filter(({ schema }) => schema === rows[0]?.own).map(({ name }) => name);
}

/** The rows that are in one snapshot only. */
export const changesBetween = (before: Snapshot, after: Snapshot): string[] =>
	Object.keys(after).flatMap((table) => {
		const [old, now] = [new Set(before[table]), new Set(after[table])];
		return [
			...[...old].filter((row) => !now.has(row)).map((row) => `- ${table} ${row}`),
			...[...now].filter((row) => !old.has(row)).map((row) => `+ ${table} ${row}`),
		];
	});
