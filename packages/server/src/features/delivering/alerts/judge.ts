import { percentChange } from "../../../analytics/catalog/rates.ts";
import type { Rule } from "./rule-fields.ts";
import { type ConditionType, type Direction, LEAST_WINDOWS, type Severity } from "./vocabulary.ts";

export interface Reading {
	readonly value: number;
	/** Of the window just before; undefined when the rule does not ask. */
	readonly before: number | undefined;
	/** Of the windows of the baseline that exist. */
	readonly baseline: readonly number[];
	/** True if the site had traffic before the window began, so that zero counts as a drop. */
	readonly isRunning: boolean;
}

export interface Judgement {
	/** True when the condition holds; undefined when there is too little to tell. */
	readonly fires: boolean | undefined;
	readonly severity: Severity;
	/** Mean of the baseline; null without one. */
	readonly baseline: number | null;
	readonly expected: number;
	/** Change against the baseline, or against the window before, in percent; null where these are not above zero. */
	readonly change: number | null;
}

export type Judging = Pick<Rule, "alert_type" | "condition_type" | "threshold_value" | "threshold_direction">;

/** Comparison of a condition: a strength that reaches 1 at the threshold; undefined = too few data. */
interface Comparison extends Pick<Judgement, "baseline" | "expected" | "change"> {
	readonly strength: number | undefined;
}

const conditions: Readonly<Record<ConditionType, (rule: Judging, reading: Reading) => Comparison>> = {
	percentage_change: (rule, { value, baseline }) => {
		const mean = meanOf(baseline);
		if (baseline.length < LEAST_WINDOWS) return unclear(mean);
		const change = percentChange(value, mean);
		return { strength: change === null ? 0 : strengthOf(rule, change), baseline: mean, expected: mean, change };
	},
	absolute_threshold: (rule, { value, isRunning }) => ({
		strength:
			directionOf(rule) === "decrease" ? belowBy(rule.threshold_value, value, isRunning) : value / rule.threshold_value,
		baseline: null,
		expected: rule.threshold_value,
		change: null,
	}),
	std_deviation: (rule, { value, baseline }) => {
		const mean = meanOf(baseline);
		if (baseline.length < LEAST_WINDOWS) return unclear(mean);
		const deviation = deviationOf(baseline, mean);
		const strength = deviation === 0 ? 0 : strengthOf(rule, (value - mean) / deviation);
		return { strength, baseline: mean, expected: mean, change: percentChange(value, mean) };
	},
	rate_of_change: (rule, { value, before = 0 }) => {
		const change = percentChange(value, before);
		const strength = change === null ? undefined : strengthOf(rule, change);
		return { strength, baseline: before, expected: before, change };
	},
};

export function judge(rule: Judging, reading: Reading): Judgement {
	const { strength, baseline, expected, change } = conditions[rule.condition_type](rule, reading);
	// A threshold of 0 that is met by 0 divides nothing by nothing.
	const reached = strength !== undefined && (Number.isNaN(strength) || strength >= 1);
	return {
		fires: strength === undefined ? undefined : reached,
		severity: severityOf(Number.isNaN(strength) ? 1 : (strength ?? 0)),
		baseline: baseline === null ? null : rounded(baseline),
		expected: rounded(expected),
		change: change === null ? null : rounded(change),
	};
}

/** How urgent something is that measures so many times its threshold. */
const severityOf = (strength: number): Severity => {
	if (strength < 1) return "info";
	return strength < 2 ? "warning" : "critical";
};

const unclear = (mean: number): Comparison => ({ strength: undefined, baseline: null, expected: mean, change: null });

/** The direction that a rule looks at; some kinds of alert have one of their own. */
function directionOf({ alert_type: type, threshold_direction: direction }: Judging): Direction {
	if (direction !== "both") return direction;
	if (type === "traffic_drop") return "decrease";
	return type === "traffic_spike" ? "increase" : "both";
}

function strengthOf(rule: Judging, measured: number): number {
	const direction = directionOf(rule);
	const inDirection = direction === "both" ? Math.abs(measured) : direction === "increase" ? measured : -measured;
	return inDirection / rule.threshold_value;
}

/** A site without any visits yet is not silent. Refunds can make a sum negative: as far below as can be. */
function belowBy(threshold: number, value: number, isRunning: boolean): number | undefined {
	if (!isRunning) return undefined;
	return value < 0 ? Number.POSITIVE_INFINITY : threshold / value;
}

function meanOf(values: readonly number[]): number {
	return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Of a sample. */
function deviationOf(values: readonly number[], mean: number): number {
	return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1));
}

const rounded = (value: number): number => Math.round(value * 100) / 100;
