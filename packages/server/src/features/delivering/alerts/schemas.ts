import { Type } from "typebox";
import { account } from "../../../access/index.ts";
import { Id, limitAndOffset, Nullable, OneOf, optionalBody, Timestamp } from "../../../platform/http/schemas.ts";
import { fieldSchemas, fieldSchemasWithDefaults, unsaid } from "./rule-fields.ts";
import { alertMetricNames, alertStatuses, alertTypes, ruleStates, settableStatuses, severities } from "./vocabulary.ts";

const lines = (maxLength: number) => Nullable(Type.String({ maxLength, "x-characters": "lines" }));

const day = (which: string) =>
	Type.String({ format: "date", description: `${which} on which the alerts started, in the site's time zone` });

export const RuleParams = Type.Object({ id: Id() });
export const AlertParams = Type.Object({ alert_id: Id() });
export const RulesQuery = Type.Object({
	...account,
	include_inactive: Type.Boolean({ default: false }),
	include_progress: Type.Boolean({ default: false, description: "Adds `progress` to goals" }),
});
export const HistoryQuery = Type.Object({
	...account,
	rule_id: Type.Optional(Id()),
	status: Type.Optional(OneOf(alertStatuses)),
	from_date: Type.Optional(day("First day")),
	to_date: Type.Optional(day("Last day")),
	...limitAndOffset({ limit: 50, max: 200 }),
});

const url = (description: string) =>
	Nullable(Type.String({ minLength: 1, maxLength: 500 }), { description: `${description}; https, a public address` });
const addresses = {
	slack_webhook_url: url("A Slack incoming webhook"),
	custom_webhook_url: url("Receives the events of this rule as JSON"),
};

/** `chosen`: every field that has a value of its own when it is not given. */
const { name, description, custom_condition, is_active, ...chosen } = fieldSchemas;
const { name: _, description: __, custom_condition: ___, is_active: ____, ...preset } = fieldSchemasWithDefaults;
const nullable = { description, custom_condition, ...addresses };

export const CreateRuleBody = Type.Object({
	name,
	...preset,
	baseline_period: Type.Optional({
		...chosen.baseline_period,
		description: `Default: \`${unsaid.baseline_period}\`, with \`alert_type\` \`error_rate\` \`24h\``,
	}),
	...Type.Partial(Type.Object(nullable)).properties,
});
export const ChangeRuleBody = Type.Partial(Type.Object({ name, ...chosen, ...nullable, is_active }));

export const RuleState = Type.Object({
	state: OneOf(ruleStates, { description: "`firing`: the condition is met, or an incident is open" }),
	last_evaluated_at: Nullable(Timestamp()),
	trigger_count: Type.Integer(),
	last_triggered_at: Nullable(Timestamp()),
	created_by: Nullable(Type.Integer()),
	created_at: Timestamp(),
	updated_at: Nullable(Timestamp()),
});

export const Rule = Type.Object({
	id: Type.Integer(),
	account_id: Type.String(),
	name: Type.String(),
	description: Nullable(Type.String()),
	...chosen,
	custom_condition,
	slack_webhook_url: Nullable(Type.String(), {
		description: "Truncated after the host. Sent back unchanged, it keeps its value",
	}),
	custom_webhook_url: Nullable(Type.String(), {
		description: "Truncated after the host for users who may not change the rule",
	}),
	is_active,
	...RuleState.properties,
	progress: Type.Optional(
		Type.Number({ description: "Value of a goal in its current period; only with `include_progress`" }),
	),
});
export const RuleList = Type.Object({ rules: Type.Array(Rule), total: Type.Integer() });

export const TestBody = Type.Object(
	{
		send_notification: Type.Boolean({
			default: true,
			description: "Sent to the rule's channels; mail only to the caller",
		}),
	},
	optionalBody,
);
export const TestResult = Type.Object({
	success: Type.Boolean({ description: "false: the metric is not available at present" }),
	current_value: Nullable(Type.Number()),
	baseline_value: Nullable(Type.Number()),
	would_trigger: Type.Boolean(),
	change_percentage: Nullable(Type.Number()),
	severity: OneOf(severities),
	notification_sent: Type.Boolean(),
	message: Type.String({ description: "`insufficient_data`: too few windows to compare with" }),
});

export const ChangeAlertBody = Type.Object({
	status: Type.Optional(
		OneOf(settableStatuses, {
			description: "Default: an active alert is acknowledged, others stay unchanged",
		}),
	),
	notes: Type.Optional(lines(1000)),
});
export const Alert = Type.Object({
	id: Type.Integer({ description: "`alert_id` in events" }),
	rule_id: Type.Integer({ description: "May refer to a deleted rule" }),
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
	context: Nullable(Type.Record(Type.String(), Type.Unknown()), {
		description: "The rule's `custom_condition` at the time",
	}),
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
	most_triggered_rule: Nullable(Type.String(), { description: "Name of the rule; in the last 30 days" }),
	last_trigger: Nullable(Timestamp()),
});
