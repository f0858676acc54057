import type { MetadataMigration } from "../../src/platform/metadata/migration.ts";

/** Jobs that bring the figures of a site over from the older service. */
export const migrationJobs: MetadataMigration = {
	name: "0031-migration-jobs",
	up: async ({ db, autoId }) => {
		await db.schema
			.createTable("migration_jobs")
			.addColumn("id", "integer", autoId)
			.addColumn("site_id", "text", (column) => column.notNull())
			.addColumn("import_id", "text", (column) => column.notNull().unique())
			.addColumn("v1_account_id", "text", (column) => column.notNull())
			.addColumn("sealed_login", "text")
			.addColumn("date_from", "text", (column) => column.notNull())
			.addColumn("date_to", "text", (column) => column.notNull())
			.addColumn("kinds", "text", (column) => column.notNull())
			.addColumn("status", "text", (column) => column.notNull())
			.addColumn("fetched", "text", (column) => column.notNull())
			.addColumn("current_step", "text")
			.addColumn("error_message", "text")
			.addColumn("created_by", "integer")
			.addColumn("created_at", "bigint", (column) => column.notNull())
			.addColumn("started_at", "bigint")
			.addColumn("completed_at", "bigint")
			.execute();
		await db.schema.createIndex("migration_jobs_by_site").on("migration_jobs").columns(["site_id", "id"]).execute();
	},
};
