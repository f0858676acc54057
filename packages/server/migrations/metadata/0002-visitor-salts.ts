import type { MetadataMigration } from "../../src/platform/metadata/migration.ts";

/** The random salts of visitor ids, one a UTC day. */
export const visitorSalts: MetadataMigration = {
	name: "0002-visitor-salts",
	up: async ({ db }) => {
		await db.schema
			.createTable("visitor_salts")
			.addColumn("day", "text", (column) => column.primaryKey())
			.addColumn("salt", "text", (column) => column.notNull())
			.addColumn("created_at", "bigint", (column) => column.notNull())
			.execute();
	},
};
