import type { EventStore } from "../../src/platform/event-store/event-store.ts";
import { events } from "./0001-events.ts";
import { botHits } from "./0002-bot-hits.ts";
import { canonicalPaths } from "./0003-canonical-paths.ts";
import { paidConversions } from "./0004-paid-conversions.ts";
import { createTable, type Topology } from "./create-table.ts";
import type { EventMigration } from "./migration.ts";

/** Every step of the schema, oldest first. */
export const eventMigrations: readonly EventMigration[] = [events, botHits, canonicalPaths, paidConversions];

const VERSION_TABLE = "event_migrations";

/** Does work while no other process migrates the same stores. */
export type MigrationLock = <T>(work: () => Promise<T>) => Promise<T>;

const unlocked: MigrationLock = (work) => work();

/**
 * Brings the event store's tables up to date and returns the names of the steps it ran. Steps only go forward, under the
 * lock, as two processes that start at once must not run one of them twice; one that a crash cut off is repeated as a
 * whole. Throws when the store was written by a newer release.
 */
export async function migrateEvents(
	store: EventStore,
	topology: Topology = {},
	migrations: readonly EventMigration[] = eventMigrations,
	lock: MigrationLock = unlocked,
): Promise<string[]> {
	for (const sql of versionTable(topology)) await store.command(sql);
	// The lock keeps others from more than this store, so it is taken only when there is something to do.
	if ((await pendingSteps(store, migrations)).length === 0) return [];
	return lock(async () => {
		const pending = await pendingSteps(store, migrations);
		for (const migration of pending) {
			for (const sql of migration.statements(topology)) await store.command(sql);
			await record(store, migration);
		}
		return pending.map((migration) => migration.name);
	});
}

async function pendingSteps(store: EventStore, migrations: readonly EventMigration[]): Promise<EventMigration[]> {
	const done = await appliedVersions(store);
	const newest = migrations.length;
	const unknown = [...done].find((version) => version > newest);
	if (unknown !== undefined) {
		throw new Error(
			`The event store is at version ${unknown}, but this release knows ${newest}: start a newer release`,
		);
	}
	return migrations.filter((migration) => !done.has(migration.version));
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
