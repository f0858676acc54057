import type { Generated } from "kysely";

type AlertType =
	| "traffic_spike"
	| "traffic_drop"
	| "conversion_change"
	| "error_rate"
	| "source_change"
	| "goal_reached"
	| "custom";

type AlertMetric =
	| "pageviews"
	| "sessions"
	| "visitors"
	| "entrances"
	| "bounce_rate"
	| "conversions"
	| "conversion_rate"
	| "custom";

/** Alert rules, alerts and the progress of their evaluation. */
export type AlertTables = {
	alert_rules: {
		id: Generated<number>;
		site_id: string;
		name: string;
		description: string | null;
		alert_type: AlertType;
		metric: AlertMetric;
		condition_type: "percentage_change" | "absolute_threshold" | "std_deviation" | "rate_of_change";
		threshold_value: number;
		threshold_direction: "increase" | "decrease" | "both";
		baseline_period: "24h" | "7d" | "30d" | "90d";
		comparison_window: "15m" | "1h" | "6h" | "24h";
		/** JSON. */
		custom_condition: string | null;
		notify_email: number;
		notify_slack: number;
		notify_webhook: number;
		/** JSON. */
		email_recipients: string;
		sealed_slack_url: string | null;
		sealed_webhook_url: string | null;
		cooldown_minutes: number;
		is_active: number;
		state: "ok" | "firing" | "insufficient_data" | "error";
		last_evaluated_at: number | null;
		trigger_count: number;
		last_triggered_at: number | null;
		/** Until then nothing opens. */
		quiet_until: number | null;
		created_by: number | null;
		created_at: number;
		updated_at: number | null;
	};
	alert_history: {
		id: Generated<number>;
		/** The rule may be gone. */
		rule_id: number;
		rule_name: string;
		site_id: string;
		alert_type: AlertType;
		metric: AlertMetric;
		severity: "info" | "warning" | "critical";
		current_value: number;
		baseline_value: number | null;
		expected_value: number;
		change_percentage: number | null;
		/** JSON. */
		context: string | null;
		period_start: number;
		period_end: number;
		triggered_at: number;
		resolved_at: number | null;
		/** Since when the condition does not hold. */
		calm_since: number | null;
		/** The rule while the incident is open: a rule has one. */
		open_rule_id: number | null;
		/** The period of a goal: it is reached once in each. */
		goal_period: string | null;
		email_sent: number;
		slack_sent: number;
		webhook_sent: number;
		notification_error: string | null;
		status: "active" | "acknowledged" | "resolved" | "false_positive";
		acknowledged_at: number | null;
		acknowledged_by: number | null;
		notes: string | null;
	};
};
