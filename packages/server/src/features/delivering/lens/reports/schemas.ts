import { type Static, type TSchema, Type } from "typebox";
import { Nullable, OneOf, Timestamp } from "../../../../platform/http/schemas.ts";
import { severities } from "../rules/finding.ts";
import { reportTypes } from "./make-report.ts";

const statuses = ["pending", "generating", "completed", "failed"] as const;
const head = {
	id: Type.String({ format: "uuid" }),
	report_type: OneOf(reportTypes),
	period_start: Type.String({ format: "date" }),
	period_end: Type.String({ format: "date" }),
	period_label: Type.String(),
	status: OneOf(statuses),
	created_at: Timestamp(),
	view_count: Type.Integer(),
};

export const ListedReport = Type.Object({
	...head,
	revenue: Nullable(Type.Number()),
	revenue_change: Nullable(Type.Number(), { description: "In percent" }),
	conversions: Nullable(Type.Integer()),
	insight_count: Type.Integer(),
});

const text = () => Nullable(Type.String());
const number = () => Nullable(Type.Number());
const trend = () => Nullable(OneOf(["up", "down", "flat"]));

const Metric = Type.Object({
	current: Type.Number(),
	// Null, as all that follows from it, where there was nothing before.
	previous: number(),
	change_pct: number(),
	change_abs: number(),
	trend: trend(),
	unit: OneOf(["currency", "count", "percent"]),
});

export type KeyMetric = Static<typeof Metric>;

const KeyMetrics = Type.Object({
	revenue: Metric,
	conversions: Metric,
	entrances: Metric,
	pageviews: Metric,
	conversion_rate: Metric,
	bounce_rate: Metric,
	aov: Metric,
});

const ChannelPerformance = Type.Object({
	channels: Type.Array(
		Type.Object({
			channel: Type.String(),
			revenue: Type.Number(),
			conversions: Type.Integer(),
			entrances: Type.Integer(),
			conversion_rate: Type.Number(),
			revenue_share: Type.Number(),
			change_pct: Nullable(Type.Number(), { description: "Of its visits" }),
			trend: trend(),
			recommendation: text(),
		}),
	),
	top_performer: text(),
	biggest_decline: text(),
	total_revenue: Type.Number(),
});

const FunnelHealth = Type.Object({
	steps: Type.Array(
		Type.Object({
			name: Type.String(),
			count: Type.Integer(),
			drop_off_pct: Type.Number({ description: "Of the step before" }),
			vs_previous: Nullable(Type.Number(), { description: "In points" }),
		}),
	),
	overall_conversion_rate: Type.Number(),
	vs_previous: Nullable(Type.Number(), { description: "In points" }),
	biggest_leak: text(),
	recommendation: text(),
});

const shares = () =>
	Type.Array(
		Type.Object({
			value: Type.String(),
			share: Type.Number({ description: "Of the visits, in percent" }),
			change: Nullable(Type.Number(), { description: "In points" }),
		}),
	);

const Audience = Type.Object({
	devices: shares(),
	countries: shares(),
	browsers: shares(),
	shifts: Type.Array(Type.Object({ dimension: Type.String(), description: Type.String(), impact: Type.String() })),
});

const told = (): TSchema =>
	Type.Array(
		Type.Object({
			title: Type.String(),
			description: text(),
			severity: OneOf(severities),
			economic_impact: number(),
			category: text(),
		}),
	);

const TopInsights = Type.Object({
	red: told(),
	yellow: told(),
	green: told(),
	total_economic_impact: number(),
	insight_count: Type.Integer(),
});

export const Report = Type.Object({
	...head,
	account_id: Type.String(),
	generation_started_at: Nullable(Timestamp()),
	generation_completed_at: Nullable(Timestamp()),
	error_message: text(),
	executive_summary: text(),
	key_takeaways: Type.Array(Type.String()),
	key_metrics: Nullable(KeyMetrics),
	channel_performance: Nullable(ChannelPerformance),
	funnel_health: Nullable(FunnelHealth),
	audience_insights: Nullable(Audience),
	top_insights: Nullable(TopInsights),
	action_items: Type.Array(
		Type.Object({
			title: Type.String(),
			description: Type.String(),
			priority: OneOf(["high", "medium"]),
			owner: Type.String(),
			category: Type.String(),
			related_insight: Nullable(Type.String({ format: "uuid" })),
			expected_impact: Nullable(Type.Number(), { description: "Money per week" }),
		}),
	),
	updated_at: Timestamp(),
});
