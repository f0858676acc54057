import type { MetadataMigration } from "../../src/platform/metadata/migration.ts";

/** How long sites keep their rows, when they were deleted, and what is being deleted of them. */
export const dataDeletions: MetadataMigration = {
	name: "0023-data-deletions",
	up: async ({ db, autoId }) => {
		await db.schema.alterTable("sites").addColumn("data_retention_months", "integer").execute();
		await db.schema.alterTable("sites").addColumn("deleted_at", "bigint").execute();
		await db.schema.alterTable("sites").addColumn("forgotten_visits", "text").execute();
		await db.schema
			.createTable("data_deletions")
			.addColumn("id", "integer", autoId)
			.addColumn("site_id", "text", (column) => column.notNull().references("sites.id"))
			.addColumn("reason", "text", (column) => column.notNull())
			.addColumn("date_from", "text")
			.addColumn("date_to", "text")
			.addColumn("until", "bigint", (column) => column.notNull())
			.addColumn("status", "text", (column) => column.notNull())
			.addColumn("step", "text", (column) => column.notNull())
			.addColumn("progress_percent", "integer", (column) => column.notNull())
			.addColumn("deleted_rows", "bigint")
			.addColumn("rows_deleted_at", "bigint")
			.addColumn("outdated_until", "bigint")
			.addColumn("error_message", "text")
			.addColumn("created_by", "integer", (column) => column.references("users.id"))
			.addColumn("created_at", "bigint", (column) => column.notNull())
			.addColumn("completed_at", "bigint")
			.execute();
		await db.schema.createIndex("data_deletions_by_site").on("data_deletions").columns(["site_id", "id"]).execute();
		await db.schema.createIndex("data_deletions_by_status").on("data_deletions").columns(["status"]).execute();
		await db.schema
			.createTable("data_deletion_collectors")
			.addColumn("deletion_id", "integer", (column) => column.notNull().references("data_deletions.id"))
			.addColumn("collector_id", "text", (column) => column.notNull())
			.addColumn("forgotten_at", "bigint", (column) => column.notNull())
			.addPrimaryKeyConstraint("data_deletion_collectors_once", ["deletion_id", "collector_id"])
			.execute();
	},
};
