import type { Static } from "typebox";
import { normalizeEmail } from "../../people/users/index.ts";
import type { CustomCondition, RuleInput } from "./rule.ts";
import type { ChangeRuleBody, CreateRuleBody } from "./schemas.ts";

type Wire = Static<typeof ChangeRuleBody>;

/** What a body says of a rule, field by field. */
export function parseChanges(body: Wire): Partial<RuleInput> {
	const given: Partial<{ -readonly [Field in keyof RuleInput]: RuleInput[Field] | undefined }> = {
		name: body.name,
		description: body.description,
		alertType: body.alert_type,
		metric: body.metric,
		conditionType: body.condition_type,
		threshold: body.threshold_value,
		direction: body.threshold_direction,
		baselinePeriod: body.baseline_period,
		comparisonWindow: body.comparison_window,
		custom: body.custom_condition === undefined ? undefined : customOf(body.custom_condition),
		notifyEmail: body.notify_email,
		notifySlack: body.notify_slack,
		notifyWebhook: body.notify_webhook,
		emailRecipients: body.email_recipients && [...new Set(body.email_recipients.map(normalizeEmail))],
		slackUrl: body.slack_webhook_url,
		webhookUrl: body.custom_webhook_url,
		cooldownMinutes: body.cooldown_minutes,
		isActive: body.is_active,
	};
	return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** A new rule. */
export const parseRule = (body: Static<typeof CreateRuleBody>): RuleInput => ({
	description: null,
	custom: null,
	slackUrl: null,
	webhookUrl: null,
	...defaults(body),
	...parseChanges(body),
});

const defaults = (body: Static<typeof CreateRuleBody>) => ({
	name: body.name,
	alertType: body.alert_type,
	metric: body.metric,
	conditionType: body.condition_type,
	threshold: body.threshold_value,
	direction: body.threshold_direction,
	baselinePeriod: body.baseline_period,
	comparisonWindow: body.comparison_window,
	notifyEmail: body.notify_email,
	notifySlack: body.notify_slack,
	notifyWebhook: body.notify_webhook,
	emailRecipients: body.email_recipients,
	cooldownMinutes: body.cooldown_minutes,
	isActive: true,
});

/** Only the fields that mean something are kept. */
function customOf(custom: NonNullable<Wire["custom_condition"]> | null): CustomCondition | null {
	if (custom === null) return null;
	const { metric, conversion_type, utm_source, filters, period, goal_name } = custom;
	return {
		...(metric !== undefined && { metric }),
		...(conversion_type !== undefined && { conversion_type }),
		...(utm_source !== undefined && { utm_source }),
		...(filters !== undefined && { filters }),
		...(period !== undefined && { period }),
		...(goal_name !== undefined && { goal_name }),
	};
}
