import { percentChange } from "../../../../analytics/catalog/rates.ts";
import {
	areApart,
	confidenceOf,
	countInterval,
	type Finding,
	type Interval,
	isBeyondChance,
	type Sample,
	type Severity,
	thresholdAt,
	wilson,
	Z_OF_ALARM,
} from "./finding.ts";
import type { Compared, Sums, WeekFigures } from "./week-figures.ts";

export type Verdict = Omit<Finding, "rule" | "entity" | "impact" | "other">;

export interface Looks {
	readonly way: "up" | "down" | "both";
	readonly isBad: "up" | "down";
}

const isLookedAt = (change: number, { way }: Looks): boolean => way === "both" || (way === "up") === change > 0;

/**
 * Red from twice the threshold, yellow from once, otherwise green. `mayBeRed` says whether there is enough evidence.
 */
function severityOf(change: number, threshold: number, { isBad }: Looks, mayBeRed: boolean): Severity {
	if ((isBad === "up") !== change > 0) return "green";
	return Math.abs(change) >= 2 * threshold && mayBeRed ? "red" : "yellow";
}

interface Measured {
	readonly value: number;
	readonly interval: Interval | null;
}

interface Comparing extends Pick<Finding, "unit" | "sample"> {
	readonly looks: Looks;
	/** Whether more than chance made the difference. */
	readonly isSure: boolean;
	/** False where it takes more evidence for an alarm. */
	readonly mayBeRed?: boolean;
}

/** Verdict on two weeks; undefined when the rule does not fire. */
function verdictOn(
	{ now, before }: Compared<Measured>,
	{ unit, sample, looks, isSure, mayBeRed = true }: Comparing,
): Verdict | undefined {
	const change = percentChange(now.value, before.value);
	if (change === null) return undefined;
	const confidence = confidenceOf(sample);
	const threshold = thresholdAt(confidence);
	if (!isLookedAt(change, looks) || Math.abs(change) < threshold || !isSure) return undefined;
	return {
		severity: severityOf(change, threshold, looks, mayBeRed && confidence !== "low"),
		unit,
		value: now.value,
		baseline: before.value,
		change,
		threshold,
		confidence,
		sample,
		interval: now.interval,
		baselineInterval: before.interval,
	};
}

/** A sum of two weeks; undefined when the rule does not fire. `orders` are what money rests on. */
export function compareSums(
	{ now, before }: Compared<number>,
	{ looks, sample, orders }: { readonly looks: Looks; readonly sample: Sample; readonly orders?: Compared<number> },
): Verdict | undefined {
	const measured = (value: number) => ({ value, interval: orders === undefined ? countInterval(value) : null });
	const isSure = orders === undefined ? isBeyondChance(now, before) : isMoneyBeyondChance({ now, before }, orders);
	const unit = orders === undefined ? "count" : "currency";
	return verdictOn({ now: measured(now), before: measured(before) }, { unit, sample, looks, isSure });
}

/** Orders that differ as much in what they are worth as those of most shops: their deviation is their mean. */
const SPREAD_OF_MONEY = 2;

/** By as many orders of the mean value of both weeks. */
function isMoneyBeyondChance(money: Compared<number>, orders: Compared<number>): boolean {
	const mean = (money.now + money.before) / (orders.now + orders.before);
	return mean > 0 && isBeyondChance(money.now / mean, money.before / mean, SPREAD_OF_MONEY);
}

export interface Share {
	readonly part: number;
	readonly whole: number;
}

const inPercent = ({ low, high }: Interval): Interval => ({ low: low * 100, high: high * 100 });

/** A share, and where it lies with 95 %, in percent. */
export const shareOf = ({ part, whole }: Share) => ({
	value: Math.min(100, (part / whole) * 100),
	interval: inPercent(wilson(part, whole)),
});

/** A share of two weeks; undefined when the rule does not fire, as when their intervals overlap: those of 95 %, or of other deviations. */
export function compareShares(
	{ now, before }: Compared<Share>,
	{ looks, sample, z }: { readonly looks: Looks; readonly sample: Sample; readonly z?: number },
): Verdict | undefined {
	if (now.whole <= 0 || before.whole <= 0) return undefined;
	const isApartAt = (deviations?: number) =>
		areApart(wilson(now.part, now.whole, deviations), wilson(before.part, before.whole, deviations));
	return verdictOn(
		{ now: shareOf(now), before: shareOf(before) },
		// A rate is looked at every morning: of ninety looks some find 95 % apart by chance.
		{ unit: "percent", sample, looks, isSure: isApartAt(z), mayBeRed: isApartAt(Z_OF_ALARM) },
	);
}

export const sampleOf = (
	{ now, before, daysWithData }: Pick<WeekFigures, "now" | "before" | "daysWithData">,
	isOfConversions = false,
): Sample => ({
	days: daysWithData,
	events: now.entrances + before.entrances,
	conversions: isOfConversions ? now.conversions + before.conversions : null,
});

export const bounced = ({ entrances, engaged_entrances: engaged }: Sums): Share => ({
	part: Math.max(0, entrances - engaged),
	whole: entrances,
});
