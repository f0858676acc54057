import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { Kysely, sql } from "kysely";
import { orUndo, withResource } from "../lib/with-resource.ts";
import { copyRows } from "./copy-rows.ts";
import type { Metadata } from "./metadata.ts";
import { type OpenMetadataOptions, openMetadata } from "./open-metadata.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";

/** Pages that are copied at a time. */
const RATE = 1000;
const BUSY_MS = 5000;

/** The metadata store as it was at one moment, whatever is written to it since. */
export interface MetadataSnapshot {
	/** Writes it as one file of SQLite, on whichever engine it is, readable by its user alone. */
	copyTo(file: string): Promise<void>;
	close(): Promise<void>;
}

interface SnapshotOptions extends Omit<OpenMetadataOptions, "isForMigrations"> {
	/** Makes the tables of a new store as they are in this one. */
	readonly makeTables: (metadata: Metadata) => Promise<void>;
}

/** Holds on to what the metadata store says now; others write to it meanwhile. */
export function openMetadataSnapshot(options: SnapshotOptions): Promise<MetadataSnapshot> {
	return options.databaseUrl === undefined ? ofSqlite(options.dataDir) : ofPostgres(options, options.databaseUrl);
}

async function ofSqlite(dataDir: string): Promise<MetadataSnapshot> {
	const database = new DatabaseSync(join(dataDir, "metadata.sqlite"), { timeout: BUSY_MS });
	// A transaction that reads sees the store as it was when it first read.
	database.exec("begin");
	database.prepare("select count(*) from sqlite_schema").get();
	return {
		copyTo: async (file) => void (await backup(database, file, { rate: RATE })),
		close: async () => database.close(),
	};
}

async function ofPostgres({ makeTables }: SnapshotOptions, databaseUrl: string): Promise<MetadataSnapshot> {
	const metadata = await openMetadata({ databaseUrl, dataDir: "", isForMigrations: true });
	const reading = await metadata.startTransaction().setIsolationLevel("repeatable read").execute();
	await sql`select count(*) from metadata_migrations`.execute(reading);
	return {
		copyTo: async (file) => {
			mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
			await withResource(new Kysely({ dialect: sqliteDialect(file) }), async (copy: Metadata) => {
				await makeTables(copy);
				await copyRows(reading, copy);
				// One file: the content of the log beside it is moved into it.
				await sql`pragma wal_checkpoint(truncate)`.execute(copy);
			});
		},
		close: async () => {
			await reading.rollback().execute();
			await metadata.destroy();
		},
	};
}

/** Runs work on a metadata store without concurrent writes, which wait or are refused as `database_unavailable`. */
export async function withStillMetadata<T>(
	options: Omit<OpenMetadataOptions, "isForMigrations">,
	work: (metadata: Metadata) => Promise<T>,
): Promise<T> {
	return withResource(await openMetadata({ ...options, isForMigrations: true }), async (metadata) => {
		const isSqlite = options.databaseUrl === undefined;
		const transaction = await (isSqlite ? metadata.startTransaction().execute() : lock(metadata));
		try {
			return await work(transaction);
		} finally {
			await transaction.rollback().execute();
		}
	});
}

/** The tables are locked before anything is read, so that what is read is what stands in them. */
async function lock(metadata: Metadata) {
	const { rows } = await sql<{ name: string }>`
		select tablename as name from pg_tables where schemaname = current_schema()`.execute(metadata);
	const transaction = await metadata.startTransaction().setIsolationLevel("repeatable read").execute();
	return orUndo(
		() => transaction.rollback().execute(),
		async () => {
			await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction);
			const tables = sql.join(rows.map(({ name }) => sql.table(name)));
			if (rows.length > 0) await sql`lock table ${tables} in share mode`.execute(transaction);
			return transaction;
		},
	);
}
