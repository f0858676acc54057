import type { MetadataMigration } from "../../src/platform/metadata/migration.ts";

/** Events that the script of a site sends without a call. */
export const automaticEvents: MetadataMigration = {
	name: "0040-automatic-events",
	up: async ({ db }) => {
		await db.schema
			.alterTable("sites")
			.addColumn("automatic_events", "text", (column) => column.notNull().defaultTo("[]"))
			.execute();
	},
};
