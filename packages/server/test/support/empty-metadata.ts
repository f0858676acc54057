import { sql } from "kysely";
import type { Metadata } from "../../src/platform/metadata/metadata.ts";
import { countSettingChange, type VersionTables } from "../../src/platform/metadata/setting-versions.ts";

/** Deletes all rows. Counts of settings' versions stay and grow, so that what is kept in memory is read again. */
export async function emptyMetadata(metadata: Metadata, engine: "sqlite" | "postgres"): Promise<void> {
	await metadata.transaction().execute(async (db) => {
		const guards = engine === "sqlite" ? await openSqlite(db) : await openPostgres(db);
		for (const name of await tablesOf(db, engine)) await sql`delete from ${sql.table(name)}`.execute(db);
		if (engine === "sqlite") await sql`delete from sqlite_sequence`.execute(db);
		for (const guard of guards) await sql.raw(guard).execute(db);
		const versions = await db.withTables<VersionTables>().selectFrom("setting_versions").selectAll().execute();
		for (const [topic, rows] of Map.groupBy(versions, (row) => row.topic)) {
			const owners = rows.map(({ owner }) => owner).filter((owner) => owner !== "*");
			await countSettingChange(db, topic, owners);
		}
	});
}

const kept = ["metadata_migrations", "setting_versions"];
const tables: { sqlite?: readonly string[]; postgres?: readonly string[] } = {};

async function tablesOf(db: Metadata, engine: "sqlite" | "postgres"): Promise<readonly string[]> {
	const listed =
		engine === "sqlite"
			? sql<{ name: string }>`select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`
			: sql<{ name: string }>`select tablename as name from pg_tables where schemaname = current_schema()`;
	tables[engine] ??= (await listed.execute(db)).rows.map(({ name }) => name).filter((name) => !kept.includes(name));
	return tables[engine];
}

/** Lets rows of the audit log and rows that others name be deleted; the statements that guard them again. */
async function openSqlite(db: Metadata): Promise<readonly string[]> {
	await sql`pragma defer_foreign_keys = on`.execute(db);
	const triggers = sql<{ name: string; sql: string }>`
		select name, sql from sqlite_master where type = 'trigger' and name = 'audit_log_refuses_delete'`;
	const { rows } = await triggers.execute(db);
	for (const { name } of rows) await sql`drop trigger ${sql.id(name)}`.execute(db);
	return rows.map((row) => row.sql);
}

async function openPostgres(db: Metadata): Promise<readonly string[]> {
	await sql`set local session_replication_role = replica`.execute(db);
	return ["set local session_replication_role = origin"];
}
