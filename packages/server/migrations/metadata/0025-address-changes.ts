import type { MetadataMigration } from "../../src/platform/metadata/migration.ts";

/** Changes of a user's address that wait until both addresses have confirmed them. */
export const addressChanges: MetadataMigration = {
	name: "0025-address-changes",
	up: async ({ db }) => {
		await db.schema
			.createTable("address_changes")
			.addColumn("user_id", "integer", (column) => column.primaryKey().references("users.id"))
			.addColumn("new_email", "text", (column) => column.notNull())
			.addColumn("session_id", "text", (column) => column.notNull())
			.addColumn("current_confirmed_at", "bigint")
			.addColumn("new_confirmed_at", "bigint")
			.addColumn("expires_at", "bigint", (column) => column.notNull())
			.addColumn("created_at", "bigint", (column) => column.notNull())
			.execute();
	},
};
