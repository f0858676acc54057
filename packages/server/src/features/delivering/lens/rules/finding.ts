import type { Interval } from "./intervals.ts";
import type { RuleName } from "./rule-names.ts";

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

const hundredths = (value: number): number => Math.round(value * 100) / 100;

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
