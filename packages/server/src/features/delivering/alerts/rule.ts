import type { RuleRow } from "./store.ts";
import type {
	AlertMetric,
	AlertType,
	BaselinePeriod,
	ComparisonWindow,
	ConditionType,
	CustomMetric,
	Direction,
	GoalPeriod,
} from "./vocabulary.ts";

/** What a rule says beyond its fields, in the words of whoever wrote it. */
export interface CustomCondition {
	readonly metric?: CustomMetric;
	readonly conversion_type?: string;
	readonly utm_source?: string;
	/** Advanced filters. */
	readonly filters?: string;
	readonly period?: GoalPeriod;
	readonly goal_name?: string;
}

/** Where a rule posts to: whoever knows them can post there too. */
export interface Addresses {
	readonly slackUrl: string | null;
	readonly webhookUrl: string | null;
}

/** What a user decides about a rule, but for its addresses. */
interface RuleTerms {
	readonly name: string;
	readonly description: string | null;
	readonly alertType: AlertType;
	readonly metric: AlertMetric;
	readonly conditionType: ConditionType;
	readonly threshold: number;
	readonly direction: Direction;
	readonly baselinePeriod: BaselinePeriod;
	readonly comparisonWindow: ComparisonWindow;
	readonly custom: CustomCondition | null;
	readonly notifyEmail: boolean;
	readonly notifySlack: boolean;
	readonly notifyWebhook: boolean;
	readonly emailRecipients: readonly string[];
	readonly cooldownMinutes: number;
	readonly isActive: boolean;
}

/** What a user decides about a rule. */
export interface RuleInput extends RuleTerms, Addresses {}

/** A rule of a site; its addresses stay sealed. */
export interface Rule extends RuleTerms {
	readonly id: number;
	readonly siteId: string;
	readonly stored: RuleRow;
}

/** A stored rule. */
export const ruleOf = (row: RuleRow): Rule => ({
	id: row.id,
	siteId: row.site_id,
	name: row.name,
	description: row.description,
	alertType: row.alert_type,
	metric: row.metric,
	conditionType: row.condition_type,
	threshold: row.threshold_value,
	direction: row.threshold_direction,
	baselinePeriod: row.baseline_period,
	comparisonWindow: row.comparison_window,
	custom: row.custom_condition === null ? null : (JSON.parse(row.custom_condition) as CustomCondition),
	notifyEmail: row.notify_email === 1,
	notifySlack: row.notify_slack === 1,
	notifyWebhook: row.notify_webhook === 1,
	emailRecipients: JSON.parse(row.email_recipients) as string[],
	cooldownMinutes: row.cooldown_minutes,
	isActive: row.is_active === 1,
	stored: row,
});

/** The columns of what a user decides, but for the addresses. */
export const columnsOf = (input: RuleTerms) => ({
	name: input.name,
	description: input.description,
	alert_type: input.alertType,
	metric: input.metric,
	condition_type: input.conditionType,
	threshold_value: input.threshold,
	threshold_direction: input.direction,
	baseline_period: input.baselinePeriod,
	comparison_window: input.comparisonWindow,
	custom_condition: input.custom === null ? null : JSON.stringify(input.custom),
	notify_email: input.notifyEmail ? 1 : 0,
	notify_slack: input.notifySlack ? 1 : 0,
	notify_webhook: input.notifyWebhook ? 1 : 0,
	email_recipients: JSON.stringify(input.emailRecipients),
	cooldown_minutes: input.cooldownMinutes,
	is_active: input.isActive ? 1 : 0,
});
