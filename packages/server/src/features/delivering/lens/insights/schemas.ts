import { Type } from "typebox";
import { account } from "../../../../access/index.ts";
import { Nullable, OneOf, pageFields, paging, Text, Timestamp } from "../../../../platform/http/schemas.ts";
import { confidences, insightTypes, ruleNames, severities } from "../rules/finding.ts";

export const groupings = ["source_rule", "insight_type", "related_entity"] as const;

const some = <T extends string>(values: readonly T[]) =>
	Type.Optional(Type.Array(OneOf([...values]), { description: "Repeat it to allow several values" }));

const withDismissed = { include_dismissed: Type.Boolean({ default: false }) };

export const InsightsQuery = Type.Object({
	...account,
	insight_type: some(insightTypes),
	severity: some(severities),
	unread: Type.Boolean({ default: false }),
	...withDismissed,
	...paging({ pageSize: 50, max: 100 }),
});
export const GroupedQuery = Type.Object({
	...account,
	group_by: OneOf(groupings, { default: "source_rule" }),
	...withDismissed,
});
export const InsightParams = Type.Object({ id: Type.String({ format: "uuid" }) });

const feedbackTypes = ["helpful", "not_helpful", "incorrect", "already_known"] as const;
export const FeedbackBody = Type.Object({
	feedback_type: OneOf(feedbackTypes),
	comment: Type.Optional(Nullable(Text(0, 1000))),
});
export const FeedbackTaken = Type.Object({ success: Type.Boolean() });

const interval = () =>
	Nullable(Type.Object({ low: Type.Number(), high: Type.Number() }), { description: "95 % interval" });
const days = () => Type.Object({ start: Type.String({ format: "date" }), end: Type.String({ format: "date" }) });

const Evidence = Type.Object({
	unit: OneOf(["count", "percent", "currency"]),
	current_value: Type.Number(),
	current_interval: interval(),
	baseline_value: Nullable(Type.Number()),
	baseline_interval: interval(),
	change_percentage: Nullable(Type.Number()),
	threshold: Type.Number({ description: "Smallest change that counts; without a baseline the smallest value" }),
	confidence: OneOf(confidences),
	days_with_data: Type.Integer(),
	events: Type.Integer(),
	conversions: Nullable(Type.Integer()),
	compared_with: Nullable(Type.String(), {
		description: "The value that the baseline belongs to, where it is not an earlier week",
	}),
	period: days(),
	baseline_period: days(),
});

export const Insight = Type.Object({
	id: Type.String({ format: "uuid" }),
	account_id: Type.String(),
	insight_type: OneOf(insightTypes),
	severity: OneOf(severities),
	category: Nullable(Type.String()),
	title: Type.String(),
	description: Nullable(Type.String()),
	recommendation: Nullable(Type.String()),
	economic_impact: Nullable(Type.Number(), { description: "Money per week, negative for a loss" }),
	source_tool: Nullable(Type.String()),
	source_rule: Nullable(OneOf(ruleNames)),
	related_entity: Nullable(Type.String()),
	deep_link: Nullable(Type.String(), { description: "Path of the dashboard" }),
	metadata: Type.Record(Type.String(), Type.Unknown()),
	created_at: Timestamp(),
	expires_at: Nullable(Timestamp()),
	read_at: Nullable(Timestamp()),
	dismissed_at: Nullable(Timestamp()),
	is_read: Type.Boolean(),
	is_dismissed: Type.Boolean(),
	is_locked: Type.Boolean(),
	locked_tier: Nullable(Type.String()),
	evidence: Nullable(Evidence),
});

export const InsightList = Type.Object({ insights: Type.Array(Insight), ...pageFields });

export const Summary = Type.Object({
	total_count: Type.Integer(),
	unread_count: Type.Integer(),
	red_count: Type.Integer(),
	yellow_count: Type.Integer(),
	green_count: Type.Integer(),
	has_critical: Type.Boolean({ description: "Whether a critical one is unread" }),
});

export const GroupList = Type.Object({
	groups: Type.Array(
		Type.Object({
			group_key: Type.String(),
			group_title: Type.String(),
			insight_type: OneOf(insightTypes),
			max_severity: OneOf(severities),
			insight_count: Type.Integer(),
			unread_count: Type.Integer(),
			total_economic_impact: Nullable(Type.Number()),
			latest_insight: Insight,
			related_entities: Type.Array(Type.String()),
			first_detected_at: Timestamp(),
			last_detected_at: Timestamp(),
		}),
	),
	total_groups: Type.Integer(),
});
