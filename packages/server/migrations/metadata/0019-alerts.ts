import type { MetadataMigration } from "../../src/platform/metadata/migration.ts";

/** Alert rules, alerts, and the progress of collectors: hits that are on their way raise no alert. */
export const alerts: MetadataMigration = {
	name: "0019-alerts",
	up: async ({ db, autoId }) => {
		await db.schema
			.createTable("alert_rules")
			.addColumn("id", "integer", autoId)
			.addColumn("site_id", "text", (column) => column.notNull().references("sites.id"))
			.addColumn("name", "text", (column) => column.notNull())
			.addColumn("description", "text")
			.addColumn("alert_type", "text", (column) => column.notNull())
			.addColumn("metric", "text", (column) => column.notNull())
			.addColumn("condition_type", "text", (column) => column.notNull())
			.addColumn("threshold_value", "double precision", (column) => column.notNull())
			.addColumn("threshold_direction", "text", (column) => column.notNull())
			.addColumn("baseline_period", "text", (column) => column.notNull())
			.addColumn("comparison_window", "text", (column) => column.notNull())
			.addColumn("custom_condition", "text")
			.addColumn("notify_email", "integer", (column) => column.notNull())
			.addColumn("notify_slack", "integer", (column) => column.notNull())
			.addColumn("notify_webhook", "integer", (column) => column.notNull())
			.addColumn("email_recipients", "text", (column) => column.notNull())
			.addColumn("sealed_slack_url", "text")
			.addColumn("sealed_webhook_url", "text")
			.addColumn("cooldown_minutes", "integer", (column) => column.notNull())
			.addColumn("is_active", "integer", (column) => column.notNull())
			.addColumn("state", "text", (column) => column.notNull())
			.addColumn("last_evaluated_at", "bigint")
			.addColumn("trigger_count", "integer", (column) => column.notNull())
			.addColumn("last_triggered_at", "bigint")
			.addColumn("quiet_until", "bigint")
			.addColumn("created_by", "integer", (column) => column.references("users.id"))
			.addColumn("created_at", "bigint", (column) => column.notNull())
			.addColumn("updated_at", "bigint")
			.execute();
		await db.schema.createIndex("alert_rules_by_site").on("alert_rules").columns(["site_id"]).execute();
		await db.schema
			.createTable("alert_history")
			.addColumn("id", "integer", autoId)
			// The entries of a rule outlive it.
			.addColumn("rule_id", "integer", (column) => column.notNull())
			.addColumn("rule_name", "text", (column) => column.notNull())
			.addColumn("site_id", "text", (column) => column.notNull().references("sites.id"))
			.addColumn("alert_type", "text", (column) => column.notNull())
			.addColumn("metric", "text", (column) => column.notNull())
			.addColumn("severity", "text", (column) => column.notNull())
			.addColumn("current_value", "double precision", (column) => column.notNull())
			.addColumn("baseline_value", "double precision")
			.addColumn("expected_value", "double precision", (column) => column.notNull())
			.addColumn("change_percentage", "double precision")
			.addColumn("context", "text")
			.addColumn("period_start", "bigint", (column) => column.notNull())
			.addColumn("period_end", "bigint", (column) => column.notNull())
			.addColumn("triggered_at", "bigint", (column) => column.notNull())
			.addColumn("resolved_at", "bigint")
			.addColumn("calm_since", "bigint")
			.addColumn("open_rule_id", "integer", (column) => column.unique())
			.addColumn("goal_period", "text")
			.addColumn("email_sent", "integer", (column) => column.notNull())
			.addColumn("slack_sent", "integer", (column) => column.notNull())
			.addColumn("webhook_sent", "integer", (column) => column.notNull())
			.addColumn("notification_error", "text")
			.addColumn("status", "text", (column) => column.notNull())
			.addColumn("acknowledged_at", "bigint")
			.addColumn("acknowledged_by", "integer", (column) => column.references("users.id"))
			.addColumn("notes", "text")
			.addUniqueConstraint("alert_history_goal_once", ["rule_id", "goal_period"])
			.execute();
		await db.schema
			.createIndex("alert_history_by_site")
			.on("alert_history")
			.columns(["site_id", "triggered_at"])
			.execute();
		await db.schema.createIndex("alert_history_by_time").on("alert_history").columns(["triggered_at"]).execute();
		await db.schema
			.createTable("collector_progress")
			.addColumn("id", "text", (column) => column.primaryKey())
			.addColumn("seen_at", "bigint", (column) => column.notNull())
			.addColumn("stored_until", "bigint", (column) => column.notNull())
			.execute();
	},
};
