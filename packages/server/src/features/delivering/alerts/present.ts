import { timestamp, timestampOrNull } from "../../../platform/lib/timestamp.ts";
import type { AlertRow } from "./history-store.ts";
import type { Addresses, CustomCondition, Rule } from "./rule.ts";
import { maskedAddress } from "./sealed-addresses.ts";
import type { AlertStats } from "./stats.ts";
import type { RuleTest } from "./test-rule.ts";
import { channels } from "./vocabulary.ts";

/** A rule on the wire. An address of Slack is a secret like a password; the other one is whole for those who may change it. */
export const presentRule = (rule: Rule & Addresses, mayChange: boolean) => ({
	id: rule.id,
	account_id: rule.siteId,
	name: rule.name,
	description: rule.description,
	alert_type: rule.alertType,
	metric: rule.metric,
	condition_type: rule.conditionType,
	threshold_value: rule.threshold,
	threshold_direction: rule.direction,
	baseline_period: rule.baselinePeriod,
	comparison_window: rule.comparisonWindow,
	custom_condition: rule.custom,
	notify_email: rule.notifyEmail,
	notify_slack: rule.notifySlack,
	notify_webhook: rule.notifyWebhook,
	email_recipients: [...rule.emailRecipients],
	slack_webhook_url: maskedAddress(rule.slackUrl),
	custom_webhook_url: mayChange ? rule.webhookUrl : maskedAddress(rule.webhookUrl),
	cooldown_minutes: rule.cooldownMinutes,
	is_active: rule.isActive,
	state: rule.stored.state,
	last_evaluated_at: timestampOrNull(rule.stored.last_evaluated_at),
	trigger_count: rule.stored.trigger_count,
	last_triggered_at: timestampOrNull(rule.stored.last_triggered_at),
	created_by: rule.stored.created_by,
	created_at: timestamp(rule.stored.created_at),
	updated_at: timestampOrNull(rule.stored.updated_at),
});

/** An entry of the history on the wire. */
export const presentAlert = (row: AlertRow) => {
	const sent = channels.filter((channel) => row[`${channel}_sent`] === 1);
	return {
		id: row.id,
		rule_id: row.rule_id,
		rule_name: row.rule_name,
		account_id: row.site_id,
		alert_type: row.alert_type,
		metric: row.metric,
		severity: row.severity,
		current_value: row.current_value,
		baseline_value: row.baseline_value,
		change_percentage: row.change_percentage,
		triggered_at: timestamp(row.triggered_at),
		resolved_at: timestampOrNull(row.resolved_at),
		period_start: timestamp(row.period_start),
		period_end: timestamp(row.period_end),
		context:
			row.context === null ? null : ({ ...JSON.parse(row.context) } as CustomCondition & Record<string, unknown>),
		notification_sent: sent.length > 0,
		notification_channels: sent,
		notification_error: row.notification_error,
		acknowledged_at: timestampOrNull(row.acknowledged_at),
		acknowledged_by: row.acknowledged_by,
		notes: row.notes,
		status: row.status,
	};
};

/** What the rules of a site have found, on the wire. */
export const presentStats = ({ activeRules, triggers, unacknowledged, mostTriggered, last }: AlertStats) => ({
	active_rules: activeRules,
	total_triggers_24h: triggers.day,
	total_triggers_7d: triggers.week,
	total_triggers_30d: triggers.month,
	unacknowledged_alerts: unacknowledged,
	most_triggered_rule: mostTriggered ?? null,
	last_trigger: timestampOrNull(last),
});

/** The outcome of a test on the wire. */
export const presentTest = (test: RuleTest) => ({
	success: test.isReadable,
	current_value: test.value,
	baseline_value: test.baseline,
	would_trigger: test.fires,
	change_percentage: test.change,
	severity: test.severity,
	notification_sent: test.isSent,
	message: test.message,
});
