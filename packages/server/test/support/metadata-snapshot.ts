import { sql } from "kysely";
import type { Metadata } from "../../src/platform/metadata/metadata.ts";
import { ownTables } from "./own-tables.ts";

type Snapshot = Readonly<Record<string, readonly string[]>>;

/** Tables that processes write by themselves, at moments of their own: no request has a part in them. */
export const withoutRequest = ["collector_progress", "processes", "data_deletion_collectors", "hit_counts"] as const;

/** Every row of every table as text, by table; `without` names columns that do not count as `table.column`, or tables. */
export async function metadataSnapshot(metadata: Metadata, without: readonly string[] = []): Promise<Snapshot> {
	const snapshot: Record<string, readonly string[]> = {};
	for (const { name } of await ownTables(metadata)) {
		if (without.includes(name)) continue;
		const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(metadata);
		const counted = (row: Record<string, unknown>) =>
			Object.entries(row).filter(([column]) => !without.includes(`${name}.${column}`));
		snapshot[name] = rows.map((row) => JSON.stringify(counted(row))).sort();
	}
	return snapshot;
}

export const changesBetween = (before: Snapshot, after: Snapshot): string[] =>
	Object.keys(after).flatMap((table) => {
		const [old, now] = [new Set(before[table]), new Set(after[table])];
		return [
			...[...old].filter((row) => !now.has(row)).map((row) => `- ${table} ${row}`),
			...[...now].filter((row) => !old.has(row)).map((row) => `+ ${table} ${row}`),
		];
	});
