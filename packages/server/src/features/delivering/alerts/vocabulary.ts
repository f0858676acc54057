import type { Metric } from "../../../analytics/catalog/metrics.ts";
import type { Figure } from "../../../analytics/catalog/rates.ts";
import { MINUTE_MS } from "../../../platform/lib/durations.ts";

export const alertTypes = [
	"traffic_spike",
	"traffic_drop",
	"conversion_change",
	"error_rate",
	"source_change",
	"goal_reached",
	"custom",
] as const;

/** The figure that each metric of a rule stands for; null: the rule names it. */
export const alertMetrics = {
	pageviews: "page_views",
	sessions: "entrances",
	visitors: "entrances",
	entrances: "entrances",
	bounce_rate: "bounce_rate",
	conversions: "conversions",
	conversion_rate: "conversion_rate",
	custom: null,
} as const satisfies Record<string, Figure | null>;
type AlertMetric = keyof typeof alertMetrics;
export const alertMetricNames = Object.keys(alertMetrics) as readonly AlertMetric[] as [AlertMetric, ...AlertMetric[]];

export const customMetrics = [
	"page_views",
	"entrances",
	"engaged_entrances",
	"microconversions",
	"conversions",
	"revenue",
] as const satisfies readonly Metric[];

/** Figures that rows of one conversion type have. */
export const typedFigures: ReadonlySet<Figure> = new Set<Figure>(["microconversions", "conversions", "revenue"]);

export const conditionTypes = ["percentage_change", "absolute_threshold", "std_deviation", "rate_of_change"] as const;
export type ConditionType = (typeof conditionTypes)[number];

export const baselineConditions: ReadonlySet<ConditionType> = new Set<ConditionType>([
	"percentage_change",
	"std_deviation",
]);

/** Fewer windows of a baseline say nothing about what is usual. */
export const LEAST_WINDOWS = 3;

export const directions = ["increase", "decrease", "both"] as const;
export type Direction = (typeof directions)[number];

/** Days that a baseline reaches back; with `24h` it is made of windows back to back. */
export const baselineDays = { "24h": 1, "7d": 7, "30d": 30, "90d": 90 } as const;
export type BaselinePeriod = keyof typeof baselineDays;
export const baselinePeriods = Object.keys(baselineDays) as [BaselinePeriod, ...BaselinePeriod[]];

export const windowMs = {
	"15m": 15 * MINUTE_MS,
	"1h": 60 * MINUTE_MS,
	"6h": 360 * MINUTE_MS,
	"24h": 1440 * MINUTE_MS,
} as const;
export type ComparisonWindow = keyof typeof windowMs;
export const comparisonWindows = Object.keys(windowMs) as [ComparisonWindow, ...ComparisonWindow[]];

export const goalPeriods = ["day", "week", "month"] as const;
export type GoalPeriod = (typeof goalPeriods)[number];

export const ruleStates = ["ok", "firing", "insufficient_data", "error"] as const;
export type RuleState = (typeof ruleStates)[number];

export const severities = ["info", "warning", "critical"] as const;
export type Severity = (typeof severities)[number];

export const alertStatuses = ["active", "acknowledged", "resolved", "false_positive"] as const;
export type AlertStatus = (typeof alertStatuses)[number];

export const settableStatuses = ["acknowledged", "resolved", "false_positive"] as const;
export type SettableStatus = (typeof settableStatuses)[number];

export const channels = ["email", "slack", "webhook"] as const;
export type Channel = (typeof channels)[number];
