import { fieldError } from "../../../platform/errors/service-error.ts";
import type { GuardedFetch } from "../../../platform/outbound/guarded-fetch.ts";
import { measureOf } from "./measure.ts";
import { refusedWindows } from "./read-refused.ts";
import type { RuleInput } from "./rule-fields.ts";
import { baselineConditions, LEAST_WINDOWS, typedFigures } from "./vocabulary.ts";

interface Fault {
	readonly field: string;
	readonly message: string;
	readonly isAt: (rule: RuleInput) => boolean;
}

const hasBaseline = ({ condition_type }: RuleInput) => baselineConditions.has(condition_type);
const isOfRefused = ({ alert_type }: RuleInput) => alert_type === "error_rate";

/** Invalid rules: the field, the message and the condition. Each is checked if those before hold. */
const faults: readonly Fault[] = [
	{
		field: "baseline_period",
		message: "24h has no windows of 24h to compare with",
		isAt: (rule) => rule.baseline_period === "24h" && rule.comparison_window === "24h",
	},
	{
		field: "custom_condition.metric",
		message: "Required when metric is custom",
		isAt: (rule) => rule.metric === "custom" && rule.custom_condition?.metric === undefined,
	},
	{
		field: "custom_condition.utm_source",
		message: "Required when alert_type is source_change",
		isAt: (rule) => rule.alert_type === "source_change" && rule.custom_condition?.utm_source === undefined,
	},
	{
		field: "custom_condition.period",
		message: "Required when alert_type is goal_reached",
		isAt: (rule) => rule.alert_type === "goal_reached" && rule.custom_condition?.period === undefined,
	},
	{
		field: "condition_type",
		message: "Must be absolute_threshold when alert_type is goal_reached",
		isAt: (rule) => rule.alert_type === "goal_reached" && rule.condition_type !== "absolute_threshold",
	},
	{
		field: "custom_condition.conversion_type",
		message: "Counts conversions, microconversions and revenue only",
		isAt: (rule) => {
			const measure = measureOf(rule);
			return (
				rule.custom_condition?.conversion_type !== undefined &&
				measure?.kind === "hits" &&
				!typedFigures.has(measure.figure)
			);
		},
	},
	{
		field: "slack_webhook_url",
		message: "Required when notify_slack is on",
		isAt: (rule) => rule.notify_slack && rule.slack_webhook_url === null,
	},
	{
		field: "custom_webhook_url",
		message: "Required when notify_webhook is on",
		isAt: (rule) => rule.notify_webhook && rule.custom_webhook_url === null,
	},
];

/** Settings with which a rule never fires. A stored rule with one of them can still be disabled. */
const silences: readonly Fault[] = [
	{
		field: "comparison_window",
		message: "At most 6h when alert_type is error_rate: rejected hits are kept for 24 hours",
		isAt: (rule) => isOfRefused(rule) && refusedWindows(rule.comparison_window) < 2,
	},
	{
		field: "comparison_window",
		message: "At most 1h when alert_type is error_rate and windows are compared: rejected hits are kept for 24 hours",
		isAt: (rule) => isOfRefused(rule) && hasBaseline(rule) && refusedWindows(rule.comparison_window) <= LEAST_WINDOWS,
	},
	{
		field: "baseline_period",
		message: "Must be 24h when alert_type is error_rate: rejected hits are kept for 24 hours",
		isAt: (rule) => isOfRefused(rule) && hasBaseline(rule) && rule.baseline_period !== "24h",
	},
];

/** Refuses a rule that could never say anything, or that sends where nothing may be sent: 422 with the field. */
export function checkRule(outbound: Pick<GuardedFetch, "urlFault">, rule: RuleInput): void {
	const looked = rule.is_active ? [...faults, ...silences] : faults;
	for (const { field, message, isAt } of looked) if (isAt(rule)) throw fieldError(`body.${field}`, message);
	const urls = [
		["slack_webhook_url", rule.slack_webhook_url],
		["custom_webhook_url", rule.custom_webhook_url],
	] as const;
	for (const [field, url] of urls) {
		const fault = url === null ? undefined : outbound.urlFault(url);
		if (fault !== undefined) throw fieldError(`body.${field}`, fault, "url");
	}
}
