import type { MetadataMigration } from "../../src/platform/metadata/migration.ts";

/** Counts of the limits that outlive a restart. */
export const rateLimits: MetadataMigration = {
	name: "0012-rate-limits",
	up: async ({ db }) => {
		await db.schema
			.createTable("rate_limits")
			.addColumn("bucket", "text", (column) => column.primaryKey())
			.addColumn("count", "integer", (column) => column.notNull())
			.addColumn("ends_at", "bigint", (column) => column.notNull())
			.execute();
		await db.schema.createIndex("rate_limits_by_end").on("rate_limits").column("ends_at").execute();
	},
};
