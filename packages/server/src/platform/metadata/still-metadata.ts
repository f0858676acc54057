import { sql } from "kysely";
import { withResource } from "../lib/with-resource.ts";
import type { Metadata } from "./metadata.ts";
import { type OpenMetadataOptions, openMetadata } from "./open-metadata.ts";

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
