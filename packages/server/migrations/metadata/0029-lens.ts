import type { MetadataMigration } from "../../src/platform/metadata/migration.ts";

/** Insights with their feedback, reports, and the times at which sites were examined. */
export const lens: MetadataMigration = {
	name: "0029-lens",
	up: async ({ db }) => {
		await db.schema
			.createTable("lens_settings")
			.addColumn("site_id", "text", (column) => column.primaryKey().references("sites.id"))
			.addColumn("is_enabled", "integer", (column) => column.notNull())
			.addColumn("notify_email", "integer", (column) => column.notNull())
			.addColumn("notify_on_red", "integer", (column) => column.notNull())
			.addColumn("notify_on_yellow", "integer", (column) => column.notNull())
			.addColumn("notify_on_green", "integer", (column) => column.notNull())
			.addColumn("email_recipients", "text", (column) => column.notNull())
			.addColumn("analysis_frequency", "text", (column) => column.notNull())
			.addColumn("created_at", "bigint", (column) => column.notNull())
			.addColumn("updated_at", "bigint", (column) => column.notNull())
			.execute();
		await db.schema
			.createTable("lens_runs")
			.addColumn("site_id", "text", (column) => column.primaryKey().references("sites.id"))
			.addColumn("analysed_day", "text", (column) => column.notNull())
			.addColumn("week", "text", (column) => column.notNull())
			.addColumn("month", "text", (column) => column.notNull())
			.execute();
		await db.schema
			.createTable("lens_insights")
			.addColumn("id", "text", (column) => column.primaryKey())
			.addColumn("site_id", "text", (column) => column.notNull().references("sites.id"))
			.addColumn("rule", "text", (column) => column.notNull())
			.addColumn("entity", "text")
			.addColumn("open_key", "text")
			.addColumn("severity", "text", (column) => column.notNull())
			.addColumn("finding", "text", (column) => column.notNull())
			.addColumn("first_day", "text", (column) => column.notNull())
			.addColumn("last_day", "text", (column) => column.notNull())
			.addColumn("created_at", "bigint", (column) => column.notNull())
			.addColumn("updated_at", "bigint", (column) => column.notNull())
			.addColumn("expires_at", "bigint", (column) => column.notNull())
			.addColumn("read_at", "bigint")
			.addColumn("dismissed_at", "bigint")
			.execute();
		await db.schema
			.createIndex("lens_insights_open")
			.on("lens_insights")
			.columns(["site_id", "open_key"])
			.unique()
			.execute();
		await db.schema.createIndex("lens_insights_by_end").on("lens_insights").columns(["expires_at"]).execute();
		await db.schema
			.createTable("lens_feedback")
			.addColumn("insight_id", "text", (column) => column.notNull())
			.addColumn("site_id", "text", (column) => column.notNull().references("sites.id"))
			.addColumn("user_id", "integer", (column) => column.notNull().references("users.id"))
			.addColumn("rule", "text", (column) => column.notNull())
			.addColumn("feedback_type", "text", (column) => column.notNull())
			.addColumn("comment", "text")
			.addColumn("created_at", "bigint", (column) => column.notNull())
			.addPrimaryKeyConstraint("lens_feedback_once", ["insight_id", "user_id"])
			.execute();
		await db.schema
			.createTable("lens_reports")
			.addColumn("id", "text", (column) => column.primaryKey())
			.addColumn("site_id", "text", (column) => column.notNull().references("sites.id"))
			.addColumn("report_type", "text", (column) => column.notNull())
			.addColumn("period_start", "text", (column) => column.notNull())
			.addColumn("period_end", "text", (column) => column.notNull())
			.addColumn("compared_from", "text", (column) => column.notNull())
			.addColumn("status", "text", (column) => column.notNull())
			.addColumn("generation_started_at", "bigint")
			.addColumn("generation_completed_at", "bigint")
			.addColumn("error_message", "text")
			.addColumn("content", "text")
			.addColumn("view_count", "integer", (column) => column.notNull())
			.addColumn("created_at", "bigint", (column) => column.notNull())
			.addColumn("updated_at", "bigint", (column) => column.notNull())
			.addUniqueConstraint("lens_reports_once", ["site_id", "report_type", "period_start", "period_end"])
			.execute();
	},
};
