import { sql } from "kysely";
import type { Metadata } from "./metadata.ts";
import { openMetadata } from "./open-metadata.ts";

interface StillOptions {
	readonly databaseUrl?: string | undefined;
	readonly dataDir: string;
}

/**
 * Runs work on a metadata store without concurrent writes: reads continue, and writes wait or are refused as
 * `database_unavailable`. The store is unchanged.
 */
export async function withStillMetadata<T>(
	options: StillOptions,
	work: (metadata: Metadata) => Promise<T>,
): Promise<T> {
	const metadata = await openMetadata({ ...options, isForMigrations: true });
	try {
		const transaction = await (options.databaseUrl === undefined
			? metadata.startTransaction().execute()
			: lock(metadata));
		try {
			return await work(transaction);
		} finally {
			await transaction.rollback().execute();
		}
	} finally {
		await metadata.destroy();
	}
}

/** The tables are locked before anything is read, so that what is read is what stands in them. */
async function lock(metadata: Metadata) {
	const { rows } = await sql<{ name: string }>`
		select tablename as name from pg_tables where schemaname = current_schema()`.execute(metadata);
	const transaction = await metadata.startTransaction().setIsolationLevel("repeatable read").execute();
	try {
		await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction);
		const tables = sql.join(rows.map(({ name }) => sql.table(name)));
		if (rows.length > 0) await sql`lock table ${tables} in share mode`.execute(transaction);
		return transaction;
	} catch (error) {
		await transaction.rollback().execute();
		throw error;
	}
}
