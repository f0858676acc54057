import type { MetadataMigration } from "../../src/platform/metadata/migration.ts";

/** How each user wants the pages: one JSON object, of which only what was chosen is kept. */
export const userPreferences: MetadataMigration = {
	name: "0021-user-preferences",
	up: async ({ db }) => {
		await db.schema
			.createTable("user_preferences")
			.addColumn("user_id", "integer", (column) => column.primaryKey().references("users.id"))
			.addColumn("chosen", "text", (column) => column.notNull())
			.addColumn("updated_at", "bigint", (column) => column.notNull())
			.execute();
	},
};
