import { presentRow } from "../../../platform/http/present-row.ts";
import type { AlertRow } from "./history-store.ts";
import type { Addresses, CustomCondition, Rule } from "./rule-fields.ts";
import { Alert, RuleState } from "./schemas.ts";
import { maskedAddress } from "./sealed-addresses.ts";
import { channels } from "./vocabulary.ts";

/** A rule on the wire. An address of Slack is a secret like a password; the other one is whole for those who may change it. */
export function presentRule({ siteId, stored, ...rule }: Rule & Addresses, mayChange: boolean) {
	const { slack_webhook_url: slackUrl, custom_webhook_url: webhookUrl } = rule;
	return {
		...rule,
		...presentRow(RuleState, stored),
		account_id: siteId,
		slack_webhook_url: maskedAddress(slackUrl),
		custom_webhook_url: mayChange ? webhookUrl : maskedAddress(webhookUrl),
	};
}

export const presentAlert = (row: AlertRow) => {
	const sent = channels.filter((channel) => row[`${channel}_sent`] === 1);
	return {
		...presentRow(Alert, row),
		account_id: row.site_id,
		context:
			row.context === null ? null : ({ ...JSON.parse(row.context) } as CustomCondition & Record<string, unknown>),
		notification_sent: sent.length > 0,
		notification_channels: sent,
	};
};
