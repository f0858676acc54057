import type { AlertRow } from "./history-store.ts";
import type { Rule } from "./rule.ts";
import type { ComparisonWindow } from "./vocabulary.ts";

const windowNames: Readonly<Record<ComparisonWindow, string>> = {
	"15m": "15 minutes",
	"1h": "hour",
	"6h": "6 hours",
	"24h": "24 hours",
};

const metricNames: Readonly<Record<Rule["metric"], string>> = {
	pageviews: "Page views",
	sessions: "Sessions",
	visitors: "Visitors",
	entrances: "Entrances",
	bounce_rate: "Bounce rate",
	conversions: "Conversions",
	conversion_rate: "Conversion rate",
	custom: "Measured value",
};

/** The measured quantity of a rule, in words. */
function subjectOf(rule: Pick<Rule, "alert_type" | "metric" | "custom_condition">): string {
	const { alert_type: type, metric, custom_condition: custom } = rule;
	if (type === "error_rate") return "Rejected hits, in percent";
	if (type === "source_change") return `Entrances from ${custom?.utm_source ?? ""}`;
	const name = metric === "custom" ? (custom?.metric ?? "").replaceAll("_", " ") : metricNames[metric];
	return name === "" ? metricNames.custom : name.charAt(0).toUpperCase() + name.slice(1);
}

type Told = Pick<AlertRow, "current_value" | "expected_value" | "change_percentage">;

/** One sentence on what was found. */
export function messageOf(
	rule: Pick<Rule, "alert_type" | "metric" | "custom_condition" | "comparison_window" | "condition_type">,
	{ current_value: value, expected_value: expected, change_percentage: change }: Told,
): string {
	const found = `${subjectOf(rule)}: ${value} in the last ${windowNames[rule.comparison_window]}`;
	if (rule.condition_type === "absolute_threshold") return `${found}, threshold ${expected}`;
	const against = rule.condition_type === "rate_of_change" ? "in the one before" : "expected";
	const percent = change === null ? "" : ` (${change > 0 ? "+" : ""}${change} %)`;
	return `${found}, ${expected} ${against}${percent}`;
}

/** One sentence on a goal. */
export const goalMessageOf = (
	rule: Pick<Rule, "alert_type" | "metric" | "custom_condition" | "threshold_value">,
	value: number,
): string =>
	`${subjectOf(rule)}: ${value} since the start of the ${rule.custom_condition?.period ?? "period"}, target ${rule.threshold_value}`;
