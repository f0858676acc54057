export interface Interval {
	readonly low: number;
	readonly high: number;
}

/** How many deviations of a normal distribution hold 95 % of it. */
const Z = 1.96;
/** The same for 99 %, for rules that look at many values. */
export const Z_OF_MANY = 2.576;
/** The same for 99.7 %, for alarms. */
export const Z_OF_ALARM = 3;

/** Where a share lies with 95 %, or another certainty, by Wilson; `whole` is above 0. Parts beyond the whole count as the whole. */
export function wilson(part: number, whole: number, z = Z): Interval {
	const share = Math.min(1, part / whole);
	const width = 1 + z ** 2 / whole;
	const middle = (share + z ** 2 / (2 * whole)) / width;
	const half = (z / width) * Math.sqrt((share * (1 - share)) / whole + z ** 2 / (4 * whole ** 2));
	return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

/** Where the usual count lies with 95 % when so many came. */
export function countInterval(count: number): Interval {
	const [middle, half] = [count + Z ** 2 / 2, Z * Math.sqrt(count + Z ** 2 / 4)];
	return { low: Math.max(0, middle - half), high: middle + half };
}

export const areApart = (one: Interval, other: Interval): boolean => one.high < other.low || other.high < one.low;

/** Standard deviations that a change must exceed: by chance less than one in a thousand counts does. */
const BEYOND_CHANCE = 3.29;

/** True when two counts of equally long times differ by more than chance; `spread` is 1 for what comes one by one. */
export const isBeyondChance = (now: number, before: number, spread = 1): boolean =>
	now !== before && Math.abs(now - before) / Math.sqrt((now + before) * spread) >= BEYOND_CHANCE;

export const insightTypes = ["anomaly", "opportunity", "trend", "alert", "health"] as const;
type InsightType = (typeof insightTypes)[number];

type RuleFacts = readonly [
	type: InsightType,
	category: string,
	tool: string,
	/** Where the dashboard shows the figures of the rule, and the metric and the field by which it filters there. */
	screen: "" | "/why" | "/bots" | "/settings/install",
	metric?: string,
	field?: string,
];

const rules = {
	tracking_broken: ["alert", "tracking", "pixel", "/settings/install"],
	traffic_drop: ["anomaly", "traffic", "overview", "/why", "entrances"],
	traffic_spike: ["trend", "traffic", "overview", "/why", "entrances"],
	conversion_drop: ["anomaly", "conversions", "overview", "", "conversion_rate"],
	conversion_spike: ["opportunity", "conversions", "overview", "", "conversion_rate"],
	revenue_drop: ["anomaly", "revenue", "overview", "/why", "revenue"],
	revenue_spike: ["opportunity", "revenue", "overview", "/why", "revenue"],
	bounce_rate_rise: ["anomaly", "engagement", "overview", "", "bounce_rate"],
	channel_drop: ["anomaly", "acquisition", "channels", "/why", "entrances", "channel_group"],
	campaign_drop: ["anomaly", "acquisition", "campaigns", "/why", "entrances", "utm_campaign"],
	country_shift: ["trend", "audience", "countries", "/why", "entrances", "country"],
	device_gap: ["opportunity", "audience", "devices", "", "conversion_rate", "device_type"],
	landing_page_bounce: ["anomaly", "engagement", "landing-pages", "", "bounce_rate", "landing_page"],
	concentration_risk: ["health", "acquisition", "sources", "", "entrances", "utm_source"],
	data_health: ["health", "tracking", "rejections", "/settings/install"],
	bot_share: ["health", "tracking", "bot-stats", "/bots"],
} as const satisfies Readonly<Record<string, RuleFacts>>;

export type RuleName = keyof typeof rules;
export const ruleNames = Object.keys(rules) as RuleName[];

export function factsOf(rule: RuleName) {
	const [type, category, tool, screen, metric, field]: RuleFacts = rules[rule];
	return { type, category, tool, screen, metric, field };
}

export const rulesOf = (types: readonly InsightType[]): readonly RuleName[] =>
	ruleNames.filter((name) => types.includes(factsOf(name).type));

export const confidences = ["high", "medium", "low"] as const;
export type Confidence = (typeof confidences)[number];

/** Sample of a comparison, over both weeks. */
export interface Sample {
	/** Of the 14, those on which something was counted. */
	readonly days: number;
	readonly events: number;
	/** Null where it does not rest on conversions. */
	readonly conversions: number | null;
}

/** Minimum for medium and high confidence. */
const least = { days: [7, 14], events: [100, 1000], conversions: [20, 100] } as const;

/** The lowest confidence of days, events and conversions. */
export function confidenceOf(sample: Sample): Confidence {
	const reached = (Object.keys(least) as (keyof Sample)[]).flatMap((name) => {
		const [value, [medium, high]] = [sample[name], least[name]];
		if (value === null) return [];
		return [value >= high ? 2 : value >= medium ? 1 : 0];
	});
	return (["low", "medium", "high"] as const)[Math.min(...reached) as 0 | 1 | 2];
}

/** The smallest change that counts, in percent. */
const CHANGE = 20;
const multipliers: Readonly<Record<Confidence, number>> = { high: 1, medium: 1.25, low: 1.5 };

/** The change in percent from which a rule fires at a confidence. */
export const thresholdAt = (confidence: Confidence): number => CHANGE * multipliers[confidence];

/** How much something matters, worst first; green is good news. */
export const severities = ["red", "yellow", "green"] as const;
export type Severity = (typeof severities)[number];

export type Unit = "count" | "percent" | "currency";

/** A finding of a rule about a site or one value of a dimension. */
export interface Finding {
	readonly rule: RuleName;
	/** The value that it is about; null = the site. */
	readonly entity: string | null;
	readonly severity: Severity;
	readonly unit: Unit;
	readonly value: number;
	/** Compared value; null if there is none. */
	readonly baseline: number | null;
	/** In percent of the baseline. */
	readonly change: number | null;
	/** Threshold of the change, or of the value itself. */
	readonly threshold: number;
	readonly confidence: Confidence;
	readonly sample: Sample;
	/** Where the value and the baseline lie with 95 %; null where that is not known. */
	readonly interval: Interval | null;
	readonly baselineInterval: Interval | null;
	/** Value a week, in the currency of the site; below 0 a loss. Null if it cannot be computed. */
	readonly impact: number | null;
	/** The other value that it is compared with, such as a device. */
	readonly other: string | null;
}

export const hundredths = (value: number): number => Math.round(value * 100) / 100;

export function rounded(finding: Finding): Finding {
	const of = (value: number | null) => (value === null ? null : hundredths(value));
	const within = (interval: Interval | null) =>
		interval === null ? null : { low: hundredths(interval.low), high: hundredths(interval.high) };
	return {
		...finding,
		value: hundredths(finding.value),
		baseline: of(finding.baseline),
		change: of(finding.change),
		impact: of(finding.impact),
		interval: within(finding.interval),
		baselineInterval: within(finding.baselineInterval),
	};
}

/** Sum of the values of findings; null if none has one. */
export function totalImpact(insights: readonly { readonly finding: Pick<Finding, "impact"> }[]): number | null {
	const impacts = insights.flatMap(({ finding }) => finding.impact ?? []);
	return impacts.length === 0 ? null : hundredths(impacts.reduce((sum, one) => sum + one, 0));
}
