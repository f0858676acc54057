import type { MetadataMigration } from "../../src/platform/metadata/migration.ts";

/** The second factor of users, and sessions in which a superadmin acts as another user. */
export const twoFactor: MetadataMigration = {
	name: "0010-two-factor",
	up: async ({ db }) => {
		await db.schema
			.createTable("two_factor")
			.addColumn("user_id", "integer", (column) => column.primaryKey().references("users.id"))
			.addColumn("sealed_secret", "text", (column) => column.notNull())
			.addColumn("setup_ends_at", "bigint")
			.addColumn("enabled_at", "bigint")
			.addColumn("last_step", "bigint", (column) => column.notNull())
			.addColumn("failures", "integer", (column) => column.notNull())
			.addColumn("failures_since", "bigint", (column) => column.notNull())
			.addColumn("backup_codes_at", "bigint")
			.execute();
		await db.schema
			.createTable("backup_codes")
			.addColumn("user_id", "integer", (column) => column.notNull().references("users.id"))
			.addColumn("code_hash", "text", (column) => column.notNull())
			.addPrimaryKeyConstraint("backup_codes_key", ["user_id", "code_hash"])
			.execute();
		await db.schema
			.alterTable("sessions")
			.addColumn("impersonator_id", "integer", (column) => column.references("users.id"))
			.execute();
		await db.schema.alterTable("sessions").addColumn("impersonator_session_id", "text").execute();
		await db.schema.alterTable("sessions").addColumn("return_hash", "text").execute();
	},
};
