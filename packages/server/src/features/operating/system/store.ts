import { sql } from "kysely";
import { tableOf } from "../../../../migrations/metadata/tables/table-of.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import { engineOf, type Metadata } from "../../../platform/metadata/metadata.ts";

/** The tables of hits by their names; on a cluster those of all its machines together, and each copy of a row counts. */
export async function eventTables(eventStore: Pick<EventStore, "query">, cluster: string | undefined) {
	const parts = cluster === undefined ? "system.parts" : "clusterAllReplicas({cluster:String}, system.parts)";
	const rows = await eventStore.query<{ table: string; rows: number; bytes: number }>({
		sql: `SELECT replaceOne(table, '_local', '') AS table, sum(rows) AS rows, sum(bytes_on_disk) AS bytes
FROM ${parts}
WHERE active AND database = currentDatabase()
GROUP BY table`,
		params: cluster === undefined ? {} : { cluster },
	});
	const found = new Map(rows.map((row) => [row.table, row]));
	const named = ["events", "bot_hits"].map((table) => {
		const { rows: count = 0, bytes = 0 } = found.get(table) ?? {};
		return { table, rows: count, bytes };
	});
	const [version] = await eventStore.query<{ version: string }>({ sql: "SELECT version() AS version" });
	return { version: version?.version ?? "", tables: named };
}

/** Memory that a ClickHouse server says it uses. */
export async function serverMemory(eventStore: Pick<EventStore, "query">): Promise<number | undefined> {
	const [row] = await eventStore.query<{ bytes: number }>({
		sql: "SELECT toUInt64(greatest(value, 0)) AS bytes FROM system.metrics WHERE metric = 'MemoryTracking'",
	});
	return row?.bytes;
}

export async function accountsEngine(metadata: Metadata) {
	const { rows } =
		engineOf(metadata) === "sqlite"
			? await sql<{ version: string; bytes: number }>`
				select sqlite_version() as version, page_count * page_size as bytes
				from pragma_page_count(), pragma_page_size()`.execute(metadata)
			: await sql<{ version: string; bytes: number }>`
				select current_setting('server_version') as version,
					(
						select coalesce(sum(pg_total_relation_size(oid)), 0) from pg_class
						where relkind = 'r' and relnamespace = current_schema()::regnamespace
					) as bytes`.execute(metadata);
	const [row] = rows;
	return { version: row?.version ?? "", bytes: Number(row?.bytes ?? 0) };
}

/** How many of each there are that are active. */
export const countActive = async (metadata: Metadata) => ({
	users: await tableOf("users").count(metadata, { is_active: 1 }),
	organizations: await tableOf("organizations").count(metadata, { is_active: 1 }),
	sites: await tableOf("sites").count(metadata, { is_active: 1 }),
});
