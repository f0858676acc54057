import { timestamp, timestampOrNull } from "../../../platform/lib/timestamp.ts";
import type { AlertRow } from "./history-store.ts";
import type { Addresses, CustomCondition, Rule } from "./rule-fields.ts";
import { maskedAddress } from "./sealed-addresses.ts";
import { channels } from "./vocabulary.ts";

/** A rule on the wire. An address of Slack is a secret like a password; the other one is whole for those who may change it. */
export function presentRule({ siteId, stored, ...rule }: Rule & Addresses, mayChange: boolean) {
	const { slack_webhook_url: slackUrl, custom_webhook_url: webhookUrl } = rule;
	return {
		...rule,
		account_id: siteId,
		slack_webhook_url: maskedAddress(slackUrl),
		custom_webhook_url: mayChange ? webhookUrl : maskedAddress(webhookUrl),
		state: stored.state,
		last_evaluated_at: timestampOrNull(stored.last_evaluated_at),
		trigger_count: stored.trigger_count,
		last_triggered_at: timestampOrNull(stored.last_triggered_at),
		created_by: stored.created_by,
		created_at: timestamp(stored.created_at),
		updated_at: timestampOrNull(stored.updated_at),
	};
}

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
