import type { Confidence, Sample } from "./confidence.ts";
import type { Interval } from "./intervals.ts";
import type { RuleName } from "./rule-names.ts";

/** How much something matters, worst first; green is good news. */
export const severities = ["red", "yellow", "green"] as const;
export type Severity = (typeof severities)[number];

/** Unit of a number. */
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

/** The same with two decimals. */
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
