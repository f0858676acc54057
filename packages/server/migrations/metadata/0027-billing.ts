import type { MetadataMigration } from "../../src/platform/metadata/migration.ts";

/** Usage of plans by organizations, and their subscriptions. */
export const billing: MetadataMigration = {
	name: "0027-billing",
	up: async ({ db, autoId }) => {
		await db.schema
			.createTable("billing_accounts")
			.addColumn("organization_id", "text", (column) => column.primaryKey().references("organizations.id"))
			.addColumn("accounting_email", "text")
			.addColumn("customer_id", "text", (column) => column.unique())
			.addColumn("checkout_id", "text")
			.addColumn("counted_at", "bigint")
			.addColumn("judged_until", "text")
			.execute();
		await db.schema
			.createTable("billing_subscriptions")
			.addColumn("id", "text", (column) => column.primaryKey())
			.addColumn("organization_id", "text", (column) => column.notNull().references("organizations.id"))
			.addColumn("status", "text", (column) => column.notNull())
			.addColumn("plan_tier", "text", (column) => column.notNull())
			.addColumn("billing_interval", "text", (column) => column.notNull())
			.addColumn("current_period_start", "bigint", (column) => column.notNull())
			.addColumn("current_period_end", "bigint", (column) => column.notNull())
			.addColumn("anchor_at", "bigint", (column) => column.notNull())
			.addColumn("cancel_at_period_end", "integer", (column) => column.notNull())
			.addColumn("trial_end", "bigint")
			.addColumn("started_at", "bigint", (column) => column.notNull())
			.addColumn("ended_at", "bigint")
			.addColumn("past_due_since", "bigint")
			.addColumn("updated_at", "bigint", (column) => column.notNull())
			.execute();
		await db.schema
			.createIndex("billing_subscriptions_by_organization")
			.on("billing_subscriptions")
			.columns(["organization_id", "started_at"])
			.execute();
		await db.schema
			.createTable("billing_history")
			.addColumn("id", "integer", autoId)
			.addColumn("organization_id", "text", (column) => column.notNull().references("organizations.id"))
			.addColumn("subscription_id", "text")
			.addColumn("user_id", "integer", (column) => column.references("users.id"))
			.addColumn("action", "text", (column) => column.notNull())
			.addColumn("source", "text", (column) => column.notNull())
			.addColumn("previous_state", "text")
			.addColumn("new_state", "text")
			.addColumn("success", "integer", (column) => column.notNull())
			.addColumn("error_message", "text")
			.addColumn("error_code", "text")
			.addColumn("ip_address", "text")
			.addColumn("created_at", "bigint", (column) => column.notNull())
			.execute();
		await db.schema
			.createIndex("billing_history_by_organization")
			.on("billing_history")
			.columns(["organization_id", "id"])
			.execute();
		await db.schema
			.createTable("billing_events")
			.addColumn("id", "text", (column) => column.primaryKey())
			.addColumn("type", "text", (column) => column.notNull())
			.addColumn("received_at", "bigint", (column) => column.notNull())
			.execute();
		await db.schema
			.createTable("usage_days")
			.addColumn("organization_id", "text", (column) => column.notNull().references("organizations.id"))
			.addColumn("day", "text", (column) => column.notNull())
			.addColumn("human_events", "bigint", (column) => column.notNull())
			.addColumn("agent_events", "bigint", (column) => column.notNull())
			.addPrimaryKeyConstraint("usage_days_key", ["organization_id", "day"])
			.execute();
		await db.schema
			.createTable("usage_periods")
			.addColumn("organization_id", "text", (column) => column.notNull().references("organizations.id"))
			.addColumn("period_start", "text", (column) => column.notNull())
			.addColumn("period_end", "text", (column) => column.notNull())
			.addColumn("plan_tier", "text", (column) => column.notNull())
			.addColumn("event_limit", "bigint", (column) => column.notNull())
			.addColumn("total_events", "bigint", (column) => column.notNull())
			.addColumn("is_forgiven", "integer", (column) => column.notNull())
			.addColumn("action_taken", "text", (column) => column.notNull())
			.addColumn("judged_at", "bigint", (column) => column.notNull())
			.addPrimaryKeyConstraint("usage_periods_key", ["organization_id", "period_start"])
			.execute();
		await db.schema
			.createTable("usage_notices")
			.addColumn("organization_id", "text", (column) => column.notNull().references("organizations.id"))
			.addColumn("period_start", "text", (column) => column.notNull())
			.addColumn("plan_tier", "text", (column) => column.notNull())
			.addColumn("percent", "integer", (column) => column.notNull())
			.addColumn("noted_at", "bigint", (column) => column.notNull())
			.addPrimaryKeyConstraint("usage_notices_key", ["organization_id", "period_start", "plan_tier", "percent"])
			.execute();
	},
};
