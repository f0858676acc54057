import { sql } from "kysely";
import type { MetadataMigration, MigrationContext } from "../../src/platform/metadata/migration.ts";

/** The audit log: rows can be added, and dropped once they are old; the database refuses anything else. */
export const auditLog: MetadataMigration = {
	name: "0007-audit-log",
	up: async ({ db, engine, autoId }) => {
		await db.schema
			.createTable("audit_log")
			.addColumn("id", "integer", autoId)
			.addColumn("user_id", "integer", (column) => column.references("users.id"))
			.addColumn("impersonator_id", "integer", (column) => column.references("users.id"))
			.addColumn("action", "text", (column) => column.notNull())
			.addColumn("resource_type", "text", (column) => column.notNull())
			.addColumn("resource_id", "text")
			.addColumn("site_id", "text")
			.addColumn("organization_id", "text")
			.addColumn("details", "text", (column) => column.notNull())
			.addColumn("ip_address", "text")
			.addColumn("created_at", "bigint", (column) => column.notNull())
			.execute();
		const index = (name: string, ...columns: string[]) =>
			db.schema.createIndex(`audit_log_by_${name}`).on("audit_log").columns(columns).execute();
		await index("time", "created_at");
		await index("user", "user_id", "created_at");
		await index("impersonator", "impersonator_id", "created_at");
		await index("site", "site_id", "created_at");
		// The authors come along: what others did is then found without reading entries.
		await index("organization", "organization_id", "created_at", "user_id", "impersonator_id");
		await (engine === "sqlite" ? guardOnSqlite(db) : guardOnPostgres(db));
	},
};

/** Entries are kept for two years; a day less, as the clock of the database need not be that of the service. */
const KEPT_MS = 729 * 86_400_000;

async function guardOnSqlite(db: MigrationContext["db"]): Promise<void> {
	await sql`
		create trigger audit_log_refuses_update before update on audit_log
		begin select raise(abort, 'audit entries cannot be changed'); end
	`.execute(db);
	await sql`
		create trigger audit_log_refuses_delete before delete on audit_log
		when old.created_at > unixepoch() * 1000 - ${sql.lit(KEPT_MS)}
		begin select raise(abort, 'audit entries are kept for two years'); end
	`.execute(db);
}

async function guardOnPostgres(db: MigrationContext["db"]): Promise<void> {
	await sql`
		create function audit_log_refuse() returns trigger language plpgsql
		as $$ begin raise exception 'audit entries are added, and dropped after two years'; end $$
	`.execute(db);
	const refuse = (name: string, event: string) =>
		sql`create trigger ${sql.id(name)} before ${sql.raw(event)} execute function audit_log_refuse()`.execute(db);
	await refuse("audit_log_refuses_update", "update on audit_log for each row");
	await refuse("audit_log_refuses_truncate", "truncate on audit_log for each statement");
	await refuse(
		"audit_log_refuses_delete",
		`delete on audit_log for each row when (old.created_at > extract(epoch from now()) * 1000 - ${KEPT_MS})`,
	);
}
