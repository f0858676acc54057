import type { MetadataMigration } from "../../src/platform/metadata/migration.ts";

/** Imports of files that other tools wrote. */
export const imports: MetadataMigration = {
	name: "0026-imports",
	up: async ({ db, autoId }) => {
		await db.schema
			.createTable("imports")
			.addColumn("id", "integer", autoId)
			.addColumn("import_id", "text", (column) => column.notNull().unique())
			.addColumn("site_id", "text", (column) => column.notNull())
			.addColumn("source", "text", (column) => column.notNull())
			.addColumn("file_name", "text", (column) => column.notNull())
			.addColumn("stored_name", "text")
			.addColumn("file_size_bytes", "bigint", (column) => column.notNull())
			.addColumn("file_sha256", "text", (column) => column.notNull())
			.addColumn("dry_run", "integer", (column) => column.notNull())
			.addColumn("timezone", "text", (column) => column.notNull())
			.addColumn("date_from", "text")
			.addColumn("date_to", "text")
			.addColumn("column_map", "text", (column) => column.notNull())
			.addColumn("status", "text", (column) => column.notNull())
			.addColumn("progress_percent", "integer", (column) => column.notNull())
			.addColumn("attempt", "text")
			.addColumn("plan", "text")
			.addColumn("salt", "text")
			.addColumn("batches_done", "integer", (column) => column.notNull())
			.addColumn("report", "text")
			.addColumn("error_message", "text")
			.addColumn("created_by", "integer")
			.addColumn("created_at", "bigint", (column) => column.notNull())
			.addColumn("started_at", "bigint")
			.addColumn("completed_at", "bigint")
			.addColumn("undone_at", "bigint")
			.execute();
		await db.schema.createIndex("imports_by_site").on("imports").columns(["site_id", "id"]).execute();
		await db.schema.createIndex("imports_by_status").on("imports").columns(["status", "created_at"]).execute();
	},
};
