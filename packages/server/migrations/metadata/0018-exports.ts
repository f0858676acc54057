import type { MetadataMigration } from "../../src/platform/metadata/migration.ts";

/** Exports: jobs that make files, and the links to these. */
export const exports: MetadataMigration = {
	name: "0018-exports",
	up: async ({ db, autoId }) => {
		await db.schema
			.createTable("exports")
			.addColumn("id", "integer", autoId)
			.addColumn("job_id", "text", (column) => column.notNull().unique())
			.addColumn("site_id", "text", (column) => column.notNull())
			.addColumn("organization_id", "text", (column) => column.notNull())
			.addColumn("export_type", "text", (column) => column.notNull())
			.addColumn("format", "text", (column) => column.notNull())
			.addColumn("date_from", "text", (column) => column.notNull())
			.addColumn("date_to", "text", (column) => column.notNull())
			.addColumn("filters", "text", (column) => column.notNull())
			.addColumn("status", "text", (column) => column.notNull())
			.addColumn("estimated_rows", "bigint", (column) => column.notNull())
			.addColumn("actual_rows", "bigint")
			.addColumn("file_size_bytes", "bigint")
			.addColumn("progress_percent", "integer", (column) => column.notNull())
			.addColumn("file_name", "text")
			.addColumn("download_token_hash", "text", (column) => column.unique())
			.addColumn("download_token", "text")
			.addColumn("download_expires_at", "bigint")
			.addColumn("error_message", "text")
			.addColumn("created_by", "integer")
			.addColumn("created_by_token", "integer")
			.addColumn("started_at", "bigint")
			.addColumn("completed_at", "bigint")
			.addColumn("created_at", "bigint", (column) => column.notNull())
			.execute();
		await db.schema.createIndex("exports_by_site").on("exports").columns(["site_id", "id"]).execute();
		await db.schema.createIndex("exports_by_work").on("exports").columns(["organization_id", "status"]).execute();
		await db.schema.createIndex("exports_by_expiry").on("exports").columns(["status", "download_expires_at"]).execute();
	},
};
