import type { MetadataMigration } from "../../src/platform/metadata/migration.ts";

/** By what the processes on one PostgreSQL find out that they are set up differently. */
export const processes: MetadataMigration = {
	name: "0042-processes",
	up: async ({ db }) => {
		await db.schema
			.createTable("processes")
			.addColumn("id", "text", (column) => column.primaryKey())
			.addColumn("host", "text", (column) => column.notNull())
			.addColumn("settings", "text", (column) => column.notNull())
			.addColumn("started_at", "bigint", (column) => column.notNull())
			.addColumn("seen_at", "bigint", (column) => column.notNull())
			.execute();
	},
};
