import { type Kysely, sql, type Transaction } from "kysely";
import { engineOf, type Metadata } from "./metadata.ts";
import type { MetadataMigration, MigrationContext } from "./migration.ts";

export type MigrationTables = { metadata_migrations: { name: string; applied_at: number } };

/** Any number that other users of the database are unlikely to lock. */
const ADVISORY_LOCK = 4_180_267_714;

const applied = async (db: Kysely<MigrationTables>): Promise<Set<string>> => {
	await db.schema
		.createTable("metadata_migrations")
		.ifNotExists()
		.addColumn("name", "text", (column) => column.primaryKey())
		.addColumn("applied_at", "bigint", (column) => column.notNull())
		.execute();
	const rows = await db.selectFrom("metadata_migrations").select("name").execute();
	return new Set(rows.map((row) => row.name));
};

/** True for a store that has never been brought up to date. */
export async function isNewStore(metadata: Metadata): Promise<boolean> {
	const isThere = {
		sqlite: sql`select 1 from sqlite_master where name = 'metadata_migrations'`,
		// In the schema that statements mean; a server may hold other stores.
		postgresql: sql`select 1 where to_regclass('metadata_migrations') is not null`,
	}[engineOf(metadata)];
	return (await isThere.execute(metadata)).rows.length === 0;
}

/**
 * Brings the metadata tables up to date: all missing migrations in order, in one transaction and under a lock,
 * so that two processes may start at once and a failure changes nothing. Answers the names that were applied.
 * Throws when the store has migrations that this version does not know: it belongs to a newer version.
 */
export async function migrateMetadata(metadata: Metadata, migrations: readonly MetadataMigration[], nowMs: number) {
	const engine = engineOf(metadata) === "sqlite" ? "sqlite" : "postgres";
	return underMigrationLock(metadata, async (db) => {
		const done = await applied(db);
		refuseNewerStore(done, migrations);
		const missing = migrations.filter((migration) => !done.has(migration.name));
		for (const migration of missing) {
			await migration.up(contextOf(db, engine));
			await db.insertInto("metadata_migrations").values({ name: migration.name, applied_at: nowMs }).execute();
		}
		return missing.map((migration) => migration.name);
	});
}

/** Missing migrations of a store, and those of a newer version. Changes nothing. */
export async function compareMigrations(metadata: Metadata, migrations: readonly MetadataMigration[]) {
	const names = migrations.map(({ name }) => name);
	if (await isNewStore(metadata)) return { missing: names, unknown: [] };
	const rows = await metadata.withTables<MigrationTables>().selectFrom("metadata_migrations").select("name").execute();
	const done = new Set(rows.map(({ name }) => name));
	return {
		missing: names.filter((name) => !done.has(name)),
		unknown: [...done].filter((name) => !names.includes(name)),
	};
}

/** Does work that no two processes may do at once, under the lock of the migrations. On SQLite every transaction has the store for itself. */
export async function underMigrationLock<T>(
	metadata: Metadata,
	work: (db: Transaction<MigrationTables>) => Promise<T>,
): Promise<T> {
	const tables = metadata.withTables<MigrationTables>();
	return tables.transaction().execute(async (db) => {
		if (engineOf(metadata) === "postgresql") {
			// The work may be elsewhere for long; a server that ends idle transactions would take the lock away.
			await sql`set local idle_in_transaction_session_timeout = 0`.execute(db);
			await sql`select pg_advisory_xact_lock(${sql.lit(ADVISORY_LOCK)})`.execute(db);
		}
		return work(db);
	});
}

function refuseNewerStore(done: ReadonlySet<string>, migrations: readonly MetadataMigration[]): void {
	const known = new Set(migrations.map((migration) => migration.name));
	const unknown = [...done].filter((name) => !known.has(name));
	if (unknown.length > 0) throw new Error(`The metadata store belongs to a newer version (${unknown.join(", ")})`);
}

function contextOf(db: Transaction<MigrationTables>, engine: "sqlite" | "postgres"): MigrationContext {
	return {
		db: db as unknown as Transaction<unknown>,
		engine,
		autoId: (column) =>
			engine === "sqlite" ? column.primaryKey().autoIncrement() : column.primaryKey().generatedByDefaultAsIdentity(),
	};
}
