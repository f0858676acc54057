import type { MetadataMigration } from "../../src/platform/metadata/migration.ts";

/** Stored events of a day that are no usage, as no hits brought them. */
export const earlierEvents: MetadataMigration = {
	name: "0043-earlier-events",
	up: async ({ db }) => {
		await db.schema
			.alterTable("usage_days")
			.addColumn("earlier_events", "integer", (column) => column.notNull().defaultTo(0))
			.execute();
	},
};
