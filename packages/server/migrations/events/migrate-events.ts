import type { EventStore } from "../../src/platform/event-store/event-store.ts";
import { events } from "./0001-events.ts";
import { botHits } from "./0002-bot-hits.ts";
import { createTable, type Topology } from "./create-table.ts";
import type { EventMigration } from "./migration.ts";

/** Every step of the schema, oldest first. */
export const eventMigrations: readonly EventMigration[] = [events, botHits];

const VERSION_TABLE = "event_migrations";

/**
 * Brings the event store's tables up to date and returns the names of the steps it ran. Steps only go forward; one that a
 * crash cut off is repeated as a whole. Throws when the store was written by a newer release.
 */
export async function migrateEvents(
	store: EventStore,
	topology: Topology = {},
	migrations: readonly EventMigration[] = eventMigrations,
): Promise<string[]> {
	for (const sql of versionTable(topology)) await store.command(sql);
	const done = await appliedVersions(store);
	const newest = migrations.length;
	const unknown = [...done].find((version) => version > newest);
	if (unknown !== undefined) {
		throw new Error(
			`The event store is at version ${unknown}, but this release knows ${newest}: start a newer release`,
		);
	}
	const pending = migrations.filter((migration) => !done.has(migration.version));
	for (const migration of pending) {
		for (const sql of migration.statements(topology)) await store.command(sql);
		await record(store, migration);
	}
	return pending.map((migration) => migration.name);
}

/** The table that says which steps a store has behind it. */
export const versionTable = (topology: Topology): string[] =>
	createTable(
		{
			name: VERSION_TABLE,
			columns: { version: "UInt32", name: "String", applied_at: "DateTime DEFAULT now()" },
			orderBy: "version",
			shardBy: "version",
		},
		topology,
	);

async function appliedVersions(store: EventStore): Promise<Set<number>> {
	const rows = await store.query<{ version: number }>({ sql: `SELECT DISTINCT version FROM ${VERSION_TABLE}` });
	return new Set(rows.map((row) => row.version));
}

async function record(store: EventStore, { version, name }: EventMigration): Promise<void> {
	await store.insert({
		table: VERSION_TABLE,
		columns: ["version", "name"],
		tsv: Buffer.from(`${version}\t${name}\n`),
		deduplicationToken: `migration-${version}`,
	});
}
