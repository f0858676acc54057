import type { Routes } from "../../api/api.generated.ts";
import { textOf } from "../../lib/use-form.ts";
import type { Rule } from "./alert-words.ts";

/** Props shared by all parts of the rule form. */
export interface RulePartProps {
	readonly rule: Rule | undefined;
	/** Initial shape of the form. */
	readonly first: Shape;
	/** Current shape of the form. */
	readonly shape: Shape;
}

/** A rule as a request brings it. */
export type RuleBody = Routes["POST /alerts/rules"]["body"];
type Condition = NonNullable<RuleBody["custom_condition"]>;
type Figure = NonNullable<Condition["metric"]>;

/** Rule types of the form; goals have their own form. */
export const types = [
	"traffic_drop",
	"traffic_spike",
	"conversion_change",
	"source_change",
	"error_rate",
	"custom",
] as const;
export type RuleType = (typeof types)[number];
export const conditions = ["percentage_change", "std_deviation", "rate_of_change", "absolute_threshold"] as const;
export const windows = ["15m", "1h", "6h", "24h"] as const;
export const baselines = ["24h", "7d", "30d", "90d"] as const;
export const directions = ["both", "increase", "decrease"] as const;

/** Figures that a rule of some type may watch; types that are missing have one of their own. */
export const figuresFor: { readonly [T in RuleType]?: readonly string[] } = {
	traffic_drop: ["pageviews", "entrances"],
	traffic_spike: ["pageviews", "entrances"],
	conversion_change: ["conversions", "conversion_rate"],
	custom: [
		"page_views",
		"entrances",
		"engaged_entrances",
		"bounce_rate",
		"microconversions",
		"conversions",
		"conversion_rate",
		"revenue",
	],
};
/** Figures that the API knows as a metric of rules; the others stand in their own condition. */
const metrics = [
	"pageviews",
	"sessions",
	"visitors",
	"entrances",
	"bounce_rate",
	"conversions",
	"conversion_rate",
] as const satisfies readonly NonNullable<RuleBody["metric"]>[];
/** Figures that have types of events. */
export const typedFigures = ["conversions", "microconversions", "revenue"];

/** Values that decide which fields the form shows. */
export interface Shape {
	readonly type: RuleType;
	readonly figure: string;
	readonly condition: (typeof conditions)[number];
	readonly baseline: (typeof baselines)[number];
	readonly window: (typeof windows)[number];
	readonly direction: (typeof directions)[number];
	readonly threshold: number;
	readonly tells: { readonly mail: boolean; readonly slack: boolean; readonly webhook: boolean };
}

const oneOf = <T extends string>(values: readonly [T, ...T[]], value: string): T =>
	values.find((one) => one === value) ?? values[0];

/** The current shape of the form. */
export function shapeOf(values: FormData): Shape {
	const type = oneOf(types, textOf(values, "alert_type"));
	return {
		type,
		figure: textOf(values, `figure_${type}`),
		condition: oneOf(conditions, textOf(values, "condition_type")),
		baseline: oneOf(baselines, textOf(values, "baseline_period")),
		window: oneOf(windows, textOf(values, "comparison_window")),
		direction: oneOf(directions, textOf(values, "threshold_direction")),
		threshold: Number(textOf(values, "threshold_value")),
		tells: {
			mail: values.has("notify_email"),
			slack: values.has("notify_slack"),
			webhook: values.has("notify_webhook"),
		},
	};
}

/** True where a rule compares with what is usual. */
export const hasBaseline = ({ condition }: Pick<Shape, "condition">): boolean =>
	condition === "percentage_change" || condition === "std_deviation";

/** True where the reader says in which direction it looks: drops and spikes say it by their name. */
export const hasDirection = ({ type }: Pick<Shape, "type">): boolean =>
	type !== "traffic_drop" && type !== "traffic_spike";

/** The figure of a rule as its type needs it. */
function metricOf({ type, figure }: Shape): {
	readonly metric: NonNullable<RuleBody["metric"]>;
	readonly own?: Figure;
} {
	if (type === "source_change" || type === "error_rate") return { metric: "entrances" };
	const metric = metrics.find((one) => one === figure);
	return metric ? { metric } : { metric: "custom", own: figure as Figure };
}

function conditionOf(shape: Shape, values: FormData, filters: readonly string[]): Condition | null {
	const text = (name: string) => textOf(values, `custom_condition.${name}`).trim();
	const { own } = metricOf(shape);
	const condition: Condition = {
		...(own && { metric: own }),
		...(typedFigures.includes(shape.figure) && text("conversion_type") && { conversion_type: text("conversion_type") }),
		...(shape.type === "source_change" && { utm_source: text("utm_source") }),
		...(shape.type !== "error_rate" && filters.length > 0 && { filters: filters.join(",") }),
	};
	return Object.keys(condition).length === 0 ? null : condition;
}

/** The filters of a rule, as each of them stands in an address. */
export const filtersOf = (joined: string | undefined): readonly string[] =>
	(joined ?? "")
		.split(",")
		.map((one) => one.trim())
		.filter((one) => one !== "");

/** The rule that the form and the filters beside it describe. */
export function ruleBody(values: FormData, filters: readonly string[]): RuleBody {
	const shape = shapeOf(values);
	const text = (name: string) => textOf(values, name).trim();
	return {
		name: text("name"),
		description: text("description") || null,
		alert_type: shape.type,
		metric: metricOf(shape).metric,
		custom_condition: conditionOf(shape, values, filters),
		condition_type: shape.condition,
		threshold_value: shape.threshold,
		threshold_direction: hasDirection(shape) ? shape.direction : "both",
		baseline_period: shape.type === "error_rate" ? "24h" : shape.baseline,
		comparison_window: shape.window,
		cooldown_minutes: Number(text("cooldown_minutes")),
		notify_email: shape.tells.mail,
		email_recipients: text("email_recipients")
			.split(/[\s,;]+/)
			.filter(Boolean),
		notify_slack: shape.tells.slack,
		slack_webhook_url: text("slack_webhook_url") || null,
		notify_webhook: shape.tells.webhook,
		custom_webhook_url: text("custom_webhook_url") || null,
	};
}
