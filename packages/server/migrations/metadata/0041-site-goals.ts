import type { MetadataMigration } from "../../src/platform/metadata/migration.ts";

/** Pages and events that count as conversions of a site without a call. */
export const siteGoals: MetadataMigration = {
	name: "0041-site-goals",
	up: async ({ db }) => {
		await db.schema
			.alterTable("sites")
			.addColumn("goals", "text", (column) => column.notNull().defaultTo("[]"))
			.execute();
	},
};
