import type { MetadataMigration } from "../../src/platform/metadata/migration.ts";

/** Sites whose figures go to BigQuery, and when they went. */
export const bigquery: MetadataMigration = {
	name: "0028-bigquery",
	up: async ({ db, autoId }) => {
		await db.schema
			.createTable("bigquery_integrations")
			.addColumn("id", "integer", autoId)
			.addColumn("site_id", "text", (column) => column.notNull().unique())
			.addColumn("gcp_project_id", "text", (column) => column.notNull())
			.addColumn("dataset_id", "text", (column) => column.notNull())
			.addColumn("location", "text", (column) => column.notNull())
			.addColumn("service_account_email", "text", (column) => column.notNull())
			.addColumn("sealed_key", "text", (column) => column.notNull())
			.addColumn("sync_frequency", "text", (column) => column.notNull())
			.addColumn("data_types", "text", (column) => column.notNull())
			.addColumn("backfill_days", "integer", (column) => column.notNull())
			.addColumn("initial_date_from", "text")
			.addColumn("initial_date_to", "text")
			.addColumn("is_active", "integer", (column) => column.notNull())
			.addColumn("tables_created", "text", (column) => column.notNull())
			.addColumn("setup_completed_at", "bigint")
			.addColumn("synced_through", "text")
			.addColumn("next_sync_at", "bigint")
			.addColumn("last_sync_at", "bigint")
			.addColumn("last_sync_status", "text")
			.addColumn("last_error", "text")
			.addColumn("created_by", "integer")
			.addColumn("created_at", "bigint", (column) => column.notNull())
			.addColumn("updated_at", "bigint", (column) => column.notNull())
			.execute();
		await db.schema
			.createIndex("bigquery_integrations_by_turn")
			.on("bigquery_integrations")
			.column("next_sync_at")
			.execute();
		await db.schema
			.createTable("bigquery_syncs")
			.addColumn("id", "integer", autoId)
			.addColumn("sync_id", "text", (column) => column.notNull().unique())
			.addColumn("site_id", "text", (column) => column.notNull())
			.addColumn("running_site_id", "text", (column) => column.unique())
			.addColumn("sync_type", "text", (column) => column.notNull())
			.addColumn("date_from", "text", (column) => column.notNull())
			.addColumn("date_to", "text", (column) => column.notNull())
			.addColumn("data_types", "text", (column) => column.notNull())
			.addColumn("chunks", "text", (column) => column.notNull())
			.addColumn("chunks_done", "integer", (column) => column.notNull())
			.addColumn("failed_chunks", "text", (column) => column.notNull())
			.addColumn("tables_synced", "text", (column) => column.notNull())
			.addColumn("status", "text", (column) => column.notNull())
			.addColumn("error_message", "text")
			.addColumn("started_at", "bigint", (column) => column.notNull())
			.addColumn("completed_at", "bigint")
			.execute();
		await db.schema.createIndex("bigquery_syncs_by_site").on("bigquery_syncs").columns(["site_id", "id"]).execute();
		await db.schema.createIndex("bigquery_syncs_by_age").on("bigquery_syncs").column("started_at").execute();
	},
};
