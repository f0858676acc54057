import type { Rule } from "./alert-words.ts";
import { type RuleType, type Shape, types } from "./rule-body.ts";

/** Below it an hour is moved by chance alone. */
const enoughForHours = 10_000;

/** Initial shape of the form. On small sites rules measure a day, as an hour has too few hits. */
export function shapeOfRule(rule: Rule | undefined, pageViewsADay: number): Shape {
	if (rule === undefined) {
		return {
			type: "traffic_drop",
			figure: "pageviews",
			condition: "percentage_change",
			baseline: "7d",
			window: pageViewsADay < enoughForHours ? "24h" : "1h",
			direction: "both",
			threshold: 50,
			tells: { mail: true, slack: false, webhook: false },
		};
	}
	const type = types.find((one): one is RuleType => one === rule.alert_type) ?? "custom";
	const named = rule.metric === "custom" ? (rule.custom_condition?.metric ?? "page_views") : rule.metric;
	return {
		type,
		figure: type === "custom" && named === "pageviews" ? "page_views" : named,
		condition: rule.condition_type,
		baseline: rule.baseline_period,
		window: rule.comparison_window,
		direction: rule.threshold_direction,
		threshold: rule.threshold_value,
		tells: { mail: rule.notify_email, slack: rule.notify_slack, webhook: rule.notify_webhook },
	};
}
