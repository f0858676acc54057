import type { MetadataMigration } from "../../src/platform/metadata/migration.ts";

/** Counts that collectors keep in memory, for other processes. */
export const collectorCounts: MetadataMigration = {
	name: "0033-collector-counts",
	up: async ({ db }) => {
		await db.schema
			.createTable("hit_counts")
			.addColumn("site_id", "text", (column) => column.notNull())
			.addColumn("hour", "bigint", (column) => column.notNull())
			.addColumn("run_id", "text", (column) => column.notNull())
			.addColumn("counts", "text", (column) => column.notNull())
			.addPrimaryKeyConstraint("hit_counts_once", ["site_id", "hour", "run_id"])
			.execute();
		await db.schema.createIndex("hit_counts_by_hour").on("hit_counts").column("hour").execute();
		await db.schema
			.createTable("script_requests")
			.addColumn("site_id", "text", (column) => column.notNull())
			.addColumn("run_id", "text", (column) => column.notNull())
			.addColumn("count", "bigint", (column) => column.notNull())
			.addColumn("last_at", "bigint", (column) => column.notNull())
			.addPrimaryKeyConstraint("script_requests_once", ["site_id", "run_id"])
			.execute();
		await db.schema.createIndex("script_requests_by_time").on("script_requests").column("last_at").execute();
	},
};
