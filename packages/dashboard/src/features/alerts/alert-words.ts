import type { Answer } from "../../api/client.ts";
import { exact, type Kind, percent, signedPercent } from "../../lib/format.ts";
import { texts } from "../../lib/language.ts";
import { metricOf } from "../site/index.ts";

/** A rule of a site. */
export type Rule = Answer<"GET /alerts/rules">["rules"][number];
/** Something that a rule found. */
export type Alert = Answer<"GET /alerts/history">["alerts"][number];

const en = {
	refused: "Rejected hits",
	from: (source: string) => `Visits from ${source}`,
	ofType: (figure: string, type: string) => `${figure} (${type})`,
	value: (now: string, usual: string) => `${now} instead of ${usual}`,
	windows: { "15m": "in 15 minutes", "1h": "in 1 hour", "6h": "in 6 hours", "24h": "in 24 hours" },
	periods: { day: "by the end of the day", week: "by the end of the week", month: "by the end of the month" },
	baselines: { "24h": "24 hours", "7d": "7 days", "30d": "30 days", "90d": "90 days" },
	conditions: {
		percentage_change: (by: string, way: string, days: string) => `${by} ${way} the average of the last ${days}`,
		std_deviation: (by: string, way: string, days: string) =>
			`${by} standard deviations ${way} the average of the last ${days}`,
		rate_of_change: (by: string, way: string) => `${by} ${way} the previous window`,
	},
	ways: { increase: "above", decrease: "below", both: "above or below" },
	reaches: (value: string) => `${value} or more`,
	falls: (value: string) => `${value} or less`,
	statuses: { active: "Open", acknowledged: "Acknowledged", resolved: "Resolved", false_positive: "False alarm" },
};

/** Words on rules and on what they found. */
export const t = texts({
	en,
	es: {
		refused: "Datos rechazados",
		from: (source: string) => `Visitas desde ${source}`,
		ofType: (figure: string, type: string) => `${figure} (${type})`,
		value: (now: string, usual: string) => `${now} en vez de ${usual}`,
		windows: { "15m": "en 15 minutos", "1h": "en 1 hora", "6h": "en 6 horas", "24h": "en 24 horas" },
		periods: {
			day: "antes de que acabe el día",
			week: "antes de que acabe la semana",
			month: "antes de que acabe el mes",
		},
		baselines: { "24h": "24 horas", "7d": "7 días", "30d": "30 días", "90d": "90 días" },
		conditions: {
			percentage_change: (by: string, way: string, days: string) => `${by} ${way} la media de los últimos ${days}`,
			std_deviation: (by: string, way: string, days: string) =>
				`${by} desviaciones típicas ${way} la media de los últimos ${days}`,
			rate_of_change: (by: string, way: string) => `${by} ${way} el tramo anterior`,
		},
		ways: { increase: "por encima de", decrease: "por debajo de", both: "por encima o por debajo de" },
		reaches: (value: string) => `${value} o más`,
		falls: (value: string) => `${value} o menos`,
		statuses: { active: "Abierta", acknowledged: "Confirmada", resolved: "Resuelta", false_positive: "Falsa alarma" },
	},
});

/** The same word for what one figure has several names for in the API. */
const figures = { pageviews: "page_views", sessions: "entrances", visitors: "entrances" } as const;

type Measured = Pick<Rule, "alert_type" | "metric"> & {
	readonly condition: { readonly metric?: unknown; readonly conversion_type?: unknown; readonly utm_source?: unknown };
};

/** The measured metric of a rule, or of the alert it raised. */
export const measuredBy = (one: Rule | Alert): Measured => ({
	alert_type: one.alert_type,
	metric: one.metric,
	condition: ("context" in one ? one.context : one.custom_condition) ?? {},
});

/** A figure by any of its names. */
export const figureNamed = (name: string) => metricOf(name in figures ? figures[name as keyof typeof figures] : name);

const figureOf = ({ metric, condition }: Measured) =>
	figureNamed(metric === "custom" ? String(condition.metric) : metric);

/** How the measured figure is written. */
const kindOf = (measured: Measured): Kind =>
	measured.alert_type === "error_rate"
		? "rate"
		: measured.alert_type === "source_change"
			? "count"
			: figureOf(measured).kind;

/** A value of what a rule measures; means of counts have a decimal. */
export function written(measured: Measured, value: number, currency: string): string {
	const kind = kindOf(measured);
	return exact(value, kind === "count" && !Number.isInteger(value) ? "ratio" : kind, currency);
}

/** The measured metric: `Conversions of the type order`. */
export function subjectOf(measured: Measured): string {
	const { alert_type: type, condition } = measured;
	if (type === "error_rate") return t.refused;
	if (type === "source_change") return t.from(String(condition.utm_source ?? ""));
	const { label } = figureOf(measured);
	return typeof condition.conversion_type === "string" ? t.ofType(label, condition.conversion_type) : label;
}

/** The value that raised the alert: `12 instead of 96 (-88 %)`. */
export function foundValue(alert: Alert, currency: string): string {
	const measured = measuredBy(alert);
	const now = written(measured, alert.current_value, currency);
	const { baseline_value: usual, change_percentage: change } = alert;
	if (usual === null) return now;
	const against = t.value(now, written(measured, usual, currency));
	return change === null ? against : `${against} (${signedPercent(change)})`;
}

/** The way in which a rule looks, where its type decides that. */
function wayOf({ alert_type: type, condition_type: condition, threshold_direction: way }: Rule): keyof typeof t.ways {
	if (way !== "both") return way;
	if (type === "traffic_drop") return "decrease";
	return type === "traffic_spike" || condition === "absolute_threshold" ? "increase" : "both";
}

/** When a rule fires, in one sentence: `Page views in 1 hour: 50 % below the mean of the last 7 days`. */
export function ruleSentence(rule: Rule, currency: string): string {
	const isGoal = rule.alert_type === "goal_reached";
	const span = isGoal ? t.periods[rule.custom_condition?.period ?? "month"] : t.windows[rule.comparison_window];
	return `${subjectOf(measuredBy(rule))} ${span}: ${conditionOf(rule, currency)}`;
}

function conditionOf(rule: Rule, currency: string): string {
	const { condition_type: condition, threshold_value: threshold, baseline_period: baseline } = rule;
	const way = wayOf(rule);
	if (condition === "absolute_threshold") {
		const value = written(measuredBy(rule), threshold, currency);
		return way === "decrease" ? t.falls(value) : t.reaches(value);
	}
	const by = condition === "std_deviation" ? exact(threshold, "ratio") : percent(threshold);
	return t.conditions[condition](by, t.ways[way], t.baselines[baseline]);
}

/** How the figure of a rule is written. */
export const kindOfRule = (rule: Rule): Kind => kindOf(measuredBy(rule));

/** True while somebody can still say something about it. */
export const isOpen = ({ status }: Alert): boolean => status === "active" || status === "acknowledged";
