import { type TSchema, Type } from "typebox";
import { account } from "../../../access/index.ts";
import { Id, limitAndOffset, Nullable, OneOf, Timestamp } from "../../../platform/http/schemas.ts";
import { settableStatuses } from "./change-alert.ts";
import {
	alertMetricNames,
	alertStatuses,
	alertTypes,
	baselinePeriods,
	comparisonWindows,
	conditionTypes,
	customMetrics,
	directions,
	goalPeriods,
	ruleStates,
	severities,
} from "./vocabulary.ts";

const text = (minLength: number, maxLength: number) => Type.String({ minLength, maxLength });
const lines = (maxLength: number) => Nullable(Type.String({ maxLength, "x-characters": "lines" }));

export const RuleParams = Type.Object({ id: Id() });
export const AlertParams = Type.Object({ alert_id: Id() });
export const RulesQuery = Type.Object({ ...account, include_inactive: Type.Boolean({ default: false }) });
export const HistoryQuery = Type.Object({
	...account,
	rule_id: Type.Optional(Id()),
	status: Type.Optional(OneOf(alertStatuses)),
	...limitAndOffset({ limit: 50, max: 200 }),
});

const CustomCondition = Type.Object({
	metric: Type.Optional(OneOf(customMetrics, { description: "Needed with `metric` `custom`" })),
	conversion_type: Type.Optional(text(1, 255)),
	utm_source: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: "Needed with `source_change`" })),
	filters: Type.Optional(Type.String({ maxLength: 1000, description: "Advanced filters", "x-characters": "any" })),
	period: Type.Optional(OneOf(goalPeriods, { description: "Needed with `goal_reached`" })),
	goal_name: Type.Optional(text(1, 255)),
});

const url = (description: string) =>
	Nullable(Type.String({ minLength: 1, maxLength: 500 }), { description: `${description}; https, a public address` });

/** Every field of a rule that has a value of its own when it is not given. */
const chosen = {
	alert_type: OneOf(alertTypes),
	metric: OneOf(alertMetricNames, { description: "Sessions and visitors are measured as entrances" }),
	condition_type: OneOf(conditionTypes),
	threshold_value: Type.Number({ minimum: 0, maximum: 10_000 }),
	threshold_direction: OneOf(directions),
	baseline_period: OneOf(baselinePeriods),
	comparison_window: OneOf(comparisonWindows),
	notify_email: Type.Boolean(),
	notify_slack: Type.Boolean(),
	notify_webhook: Type.Boolean({ description: "Governs `custom_webhook_url` only" }),
	email_recipients: Type.Array(Type.String({ format: "email" }), {
		maxItems: 10,
		description:
			"Empty: the organization's owners. People who are not users of the site are asked by mail and get nothing until they agree",
	}),
	cooldown_minutes: Type.Integer({ minimum: 5, maximum: 1440 }),
};

const initial: Readonly<Record<keyof typeof chosen, unknown>> = {
	alert_type: "traffic_spike",
	metric: "pageviews",
	condition_type: "percentage_change",
	threshold_value: 50,
	threshold_direction: "both",
	baseline_period: "7d",
	comparison_window: "1h",
	notify_email: true,
	notify_slack: false,
	notify_webhook: false,
	email_recipients: [],
	cooldown_minutes: 60,
};

const nullable = {
	description: Type.Optional(lines(1000)),
	custom_condition: Type.Optional(Nullable(CustomCondition)),
	slack_webhook_url: Type.Optional(url("A Slack incoming webhook")),
	custom_webhook_url: Type.Optional(url("Gets the events of this rule as JSON")),
};

type Chosen = typeof chosen;
const withDefaults = Object.fromEntries(
	Object.entries(chosen).map(([name, schema]) => [name, { ...schema, default: initial[name as keyof Chosen] }]),
) as unknown as Chosen;

export const CreateRuleBody = Type.Object({ name: text(1, 255), ...withDefaults, ...nullable });

type OptionalFields<Fields extends Record<string, TSchema>> = {
	[Name in keyof Fields]: ReturnType<typeof Type.Optional<Fields[Name]>>;
};
const optional = <Fields extends Record<string, TSchema>>(fields: Fields): OptionalFields<Fields> =>
	Object.fromEntries(
		Object.entries(fields).map(([name, schema]) => [name, Type.Optional(schema)]),
	) as unknown as OptionalFields<Fields>;

export const ChangeRuleBody = Type.Object({
	name: Type.Optional(text(1, 255)),
	...optional(chosen),
	...nullable,
	is_active: Type.Optional(Type.Boolean()),
});

export const Rule = Type.Object({
	id: Type.Integer(),
	account_id: Type.String(),
	name: Type.String(),
	description: Nullable(Type.String()),
	...chosen,
	custom_condition: Nullable(CustomCondition),
	slack_webhook_url: Nullable(Type.String(), {
		description: "Cut after its host. Given back in a change as it is shown, it stays as it is",
	}),
	custom_webhook_url: Nullable(Type.String(), {
		description: "Cut after its host for those who may not change the rule",
	}),
	is_active: Type.Boolean(),
	state: OneOf(ruleStates, { description: "`firing`: the condition holds, or an incident is open" }),
	last_evaluated_at: Nullable(Timestamp()),
	trigger_count: Type.Integer(),
	last_triggered_at: Nullable(Timestamp()),
	created_by: Nullable(Type.Integer()),
	created_at: Timestamp(),
	updated_at: Nullable(Timestamp()),
});
export const RuleList = Type.Object({ rules: Type.Array(Rule), total: Type.Integer() });

export const TestBody = Type.Union([
	Type.Object({
		send_notification: Type.Boolean({
			default: true,
			description: "To the rule's addresses; of its mails, one to the caller alone",
		}),
	}),
	Type.Null(),
]);
export const TestResult = Type.Object({
	success: Type.Boolean({ description: "false: the metric cannot be read at present" }),
	current_value: Nullable(Type.Number()),
	baseline_value: Nullable(Type.Number()),
	would_trigger: Type.Boolean(),
	change_percentage: Nullable(Type.Number()),
	severity: OneOf(severities),
	notification_sent: Type.Boolean(),
	message: Type.String({ description: "`insufficient_data`: too few windows to compare with" }),
});

export const ChangeAlertBody = Type.Object({
	status: OneOf(settableStatuses, { default: "acknowledged" }),
	notes: Type.Optional(lines(1000)),
});
export const Alert = Type.Object({
	id: Type.Integer({ description: "`alert_id` in events" }),
	rule_id: Type.Integer({ description: "May name a rule that is gone" }),
	rule_name: Type.String(),
	account_id: Type.String(),
	alert_type: OneOf(alertTypes),
	metric: OneOf(alertMetricNames),
	severity: OneOf(severities),
	current_value: Type.Number(),
	baseline_value: Nullable(Type.Number()),
	change_percentage: Nullable(Type.Number()),
	triggered_at: Timestamp(),
	resolved_at: Nullable(Timestamp()),
	period_start: Timestamp(),
	period_end: Timestamp(),
	context: Nullable(Type.Record(Type.String(), Type.Unknown()), { description: "The rule's `custom_condition` then" }),
	notification_sent: Type.Boolean(),
	notification_channels: Type.Array(OneOf(["email", "slack", "webhook"])),
	notification_error: Nullable(Type.String()),
	acknowledged_at: Nullable(Timestamp()),
	acknowledged_by: Nullable(Type.Integer()),
	notes: Nullable(Type.String()),
	status: OneOf(alertStatuses),
});
export const AlertList = Type.Object({ alerts: Type.Array(Alert), total: Type.Integer() });
export const AlertStats = Type.Object({
	active_rules: Type.Integer(),
	total_triggers_24h: Type.Integer(),
	total_triggers_7d: Type.Integer(),
	total_triggers_30d: Type.Integer(),
	unacknowledged_alerts: Type.Integer(),
	most_triggered_rule: Nullable(Type.String(), { description: "Its name; in the last 30 days" }),
	last_trigger: Nullable(Timestamp()),
});
