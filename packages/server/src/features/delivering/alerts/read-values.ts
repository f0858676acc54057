import type { Condition } from "../../../analytics/catalog/filters.ts";
import { type Figure, figureOf, percentage } from "../../../analytics/catalog/rates.ts";
import { parseAdvancedFilters } from "../../../analytics/query/question/advanced-filters.ts";
import { placed } from "../../../analytics/query/question/bad-question.ts";
import { ofHits } from "../../../analytics/query/question/reading.ts";
import { firstHits } from "../../../analytics/query/reports/site-days.ts";
import { type TimeWindow, windowSums } from "../../../analytics/query/reports/window-sums.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../platform/lib/durations.ts";
import { describeCause } from "../../../platform/log/describe-cause.ts";
import { inChunks } from "../../../platform/metadata/in-chunks.ts";
import type { AlertDeps } from "./deps.ts";
import type { Reading } from "./judge.ts";
import type { Rule } from "./rule-fields.ts";
import {
	alertMetrics,
	type BaselinePeriod,
	baselineConditions,
	baselineDays,
	type ComparisonWindow,
	windowMs,
} from "./vocabulary.ts";

/** The moment up to which rules look: the end of the last full minute. */
export const lastFullMinute = (nowMs: number): number => Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;

export const currentWindow = (length: ComparisonWindow, until: number): TimeWindow => ({
	from: until - windowMs[length],
	until,
});

export const windowBefore = (length: ComparisonWindow, until: number): TimeWindow =>
	currentWindow(length, until - windowMs[length]);

/**
 * The windows that a current one is compared with, latest first: the same length, ending at the same time of day on each
 * day of the period, or back to back over the 24 hours before. The time of day is that of the site's clock, so that a
 * change to or from daylight saving moves no window against the habits of visitors.
 */
export function baselineWindows(
	{ period, length, timezone }: { period: BaselinePeriod; length: ComparisonWindow; timezone: string },
	until: number,
): TimeWindow[] {
	if (period === "24h") {
		const count = Math.floor(DAY_MS / windowMs[length]);
		return Array.from({ length: count }, (_, index) => currentWindow(length, until - (index + 1) * windowMs[length]));
	}
	const local = Temporal.Instant.fromEpochMilliseconds(until).toZonedDateTimeISO(timezone);
	return Array.from({ length: baselineDays[period] }, (_, index) =>
		currentWindow(length, local.subtract({ days: index + 1 }).epochMilliseconds),
	);
}

/** The measured quantity of a rule: a metric of stored hits that meet conditions, or the share of refused hits. */
export type Measure =
	| { readonly kind: "hits"; readonly figure: Figure; readonly conditions: readonly Condition[] }
	| { readonly kind: "refused" };

type Measuring = Pick<Rule, "alert_type" | "metric" | "custom_condition">;

/** The measured quantity of a rule; undefined if it names no metric. 422 for invalid filters. */
export function measureOf(rule: Measuring): Measure | undefined {
	if (rule.alert_type === "error_rate") return { kind: "refused" };
	const figure = ruleFigure(rule);
	if (figure === undefined) return undefined;
	const { conversion_type: type, utm_source: source, filters = "" } = rule.custom_condition ?? {};
	const conditions: Condition[] = [
		...(type === undefined ? [] : [{ dimension: "conversion_type", operator: "eq", values: [type] } as const]),
		...(source === undefined ? [] : [{ dimension: "utm_source", operator: "eq", values: [source] } as const]),
		...placed("body.custom_condition.filters", () => parseAdvancedFilters(filters, ofHits)),
	];
	return { kind: "hits", figure, conditions };
}

const ruleFigure = ({ alert_type: type, metric, custom_condition: custom }: Measuring): Figure | undefined =>
	type === "source_change" ? "entrances" : (alertMetrics[metric] ?? custom?.metric);

/** Filters were checked when the rule was stored; a later version may read them differently. */
export function readableMeasure(rule: Measuring): Measure | undefined {
	try {
		return measureOf(rule);
	} catch {
		return undefined;
	}
}

const KEPT = 1440;

/** How many windows of a length are ever known: the minute that runs belongs to none. */
export const refusedWindows = (length: ComparisonWindow): number =>
	Math.floor((KEPT - 1) / (windowMs[length] / MINUTE_MS));

interface Counts {
	readonly accepted: number;
	readonly rejected: number;
}

/**
 * The share of a site's hits that were refused, as the collectors counted them in the last 24 hours; undefined when there is
 * no collector. Windows without a hit do not exist.
 */
async function readRefused(
	{ refused, clock }: Pick<AlertDeps, "refused" | "clock">,
	{ siteId, comparison_window, condition_type, baseline_period }: Rule,
	until: number,
): Promise<Reading | undefined> {
	const minutes = windowMs[comparison_window] / MINUTE_MS;
	// The log counts back from the minute that runs, which belongs to no window yet.
	const running = Math.floor(clock.now() / MINUTE_MS) - until / MINUTE_MS + 1;
	const counted = await refused(siteId);
	if (counted === undefined) return undefined;
	const upTo = (back: number): Counts => counted(Math.min(running + back, KEPT));
	const windows: Counts[] = [];
	const count = Math.floor((KEPT - running) / minutes);
	for (let index = 0; index < count; index++) {
		const [outer, inner] = [upTo((index + 1) * minutes), upTo(index * minutes)];
		windows.push({ accepted: outer.accepted - inner.accepted, rejected: outer.rejected - inner.rejected });
	}
	const [current, before, ...older] = windows;
	if (current === undefined) return undefined;
	const usesBaseline = baseline_period === "24h" && baselineConditions.has(condition_type);
	const baseline = usesBaseline ? [before, ...older].filter(hasHits).map(shareOf) : [];
	return {
		value: shareOf(current),
		before: before === undefined ? undefined : shareOf(before),
		baseline,
		isRunning: hasHits(current),
	};
}

const hasHits = (counts: Counts | undefined): counts is Counts =>
	counts !== undefined && counts.accepted + counts.rejected > 0;

const shareOf = ({ accepted, rejected }: Counts): number => percentage(rejected, accepted + rejected);

/** An import may bring hits from before the first one. */
const KEPT_MS = 6 * HOUR_MS;

export class FirstHitCache {
	readonly #known = new Map<string, number>();
	#forgetsAt = 0;

	/** Moments by slug; sites without hits are asked for again each time. */
	async of(deps: Pick<AlertDeps, "eventStore" | "sites">, sites: readonly string[], nowMs: number) {
		if (nowMs >= this.#forgetsAt) {
			this.#known.clear();
			this.#forgetsAt = nowMs + KEPT_MS;
		}
		// Of sites whose data were deleted lately the first hit may be another one now.
		for (const site of sites) if (deps.sites.get(site)?.forgottenVisits.length !== 0) this.#known.delete(site);
		const unknown = sites.filter((site) => !this.#known.has(site));
		for (const [site, first] of await firstHits(deps, unknown)) this.#known.set(site, first);
		return this.#known as ReadonlyMap<string, number>;
	}
}

export interface EvaluationDeps extends AlertDeps {
	readonly firstHits: FirstHitCache;
}

interface Question {
	readonly rule: Rule;
	readonly measure: Extract<Measure, { kind: "hits" }>;
	readonly windows: RuleWindows;
	/** Questions with the same key are one statement. */
	readonly key: string;
}

interface RuleWindows {
	/** The current one first, then the one before when the rule asks for it, then the baseline. */
	readonly all: readonly TimeWindow[];
	readonly hasBefore: boolean;
	readonly key: string;
}

/** Reads what rules measure for the windows that end at a moment: one statement for all that ask alike. */
export async function readValues(deps: EvaluationDeps, rules: readonly Rule[], until: number) {
	const readings = new Map<number, Reading | undefined>();
	const questions: Question[] = [];
	const windowsOf = rememberedWindows(deps, until);
	for (const rule of rules) {
		const measure = readableMeasure(rule);
		if (measure?.kind === "refused") readings.set(rule.id, await readRefused(deps, rule, until));
		else if (measure === undefined) readings.set(rule.id, undefined);
		else {
			const windows = windowsOf(rule);
			questions.push({ rule, measure, windows, key: `${windows.key} ${JSON.stringify(measure.conditions)}` });
		}
	}
	const sites = [...new Set(questions.map(({ rule }) => rule.siteId))];
	const firstHits = await deps.firstHits.of(deps, sites, until);
	for (const alike of Map.groupBy(questions, ({ key }) => key).values()) {
		for (const [id, reading] of await answer(deps, alike, firstHits)) readings.set(id, reading);
	}
	return readings;
}

async function answer(
	deps: EvaluationDeps,
	alike: readonly Question[],
	firstHits: ReadonlyMap<string, number>,
): Promise<[number, Reading | undefined][]> {
	const [first] = alike;
	if (first === undefined) return [];
	const { windows, measure } = first;
	const sites = [...new Set(alike.map(({ rule }) => rule.siteId))];
	try {
		return await inChunks(sites, async (some) => {
			const query = { sites: some, windows: windows.all, conditions: measure.conditions };
			const sums = await windowSums(deps, query);
			return alike.flatMap((question): [number, Reading][] => {
				const { id, siteId } = question.rule;
				const found = sums.get(siteId);
				if (found === undefined) return [];
				const values = found.map((measures) => figureOf(question.measure.figure, measures));
				return [[id, readingOf(windows, values, firstHits.get(siteId))]];
			});
		});
	} catch (error) {
		deps.log.warn({ rules: alike.length, cause: describeCause(error) }, "Metrics of alert rules could not be read");
		return alike.map(({ rule }) => [rule.id, undefined]);
	}
}

function readingOf(windows: RuleWindows, values: readonly number[], firstHit = Number.POSITIVE_INFINITY): Reading {
	const exists = ({ from }: TimeWindow) => from >= firstHit;
	const skipped = windows.hasBefore ? 2 : 1;
	const baseline = values.filter((_, index) => {
		const window = windows.all[index];
		return index >= skipped && window !== undefined && exists(window);
	});
	const [current] = windows.all;
	return {
		value: values[0] ?? 0,
		before: windows.hasBefore ? values[1] : undefined,
		baseline,
		isRunning: current !== undefined && exists(current),
	};
}

/** Windows by what they depend on, so that a thousand rules alike share one list. */
function rememberedWindows(deps: EvaluationDeps, until: number): (rule: Rule) => RuleWindows {
	const known = new Map<string, RuleWindows>();
	return (rule) => {
		const timezone = deps.sites.get(rule.siteId)?.timezone ?? "UTC";
		const name = [rule.condition_type, rule.comparison_window, rule.baseline_period, timezone].join(" ");
		const windows = known.get(name) ?? windowsOf(rule, timezone, until);
		known.set(name, windows);
		return windows;
	};
}

function windowsOf(rule: Rule, timezone: string, until: number): RuleWindows {
	const { comparison_window: length, baseline_period: period, condition_type } = rule;
	const hasBefore = condition_type === "rate_of_change";
	const all = [
		currentWindow(length, until),
		...(hasBefore ? [windowBefore(length, until)] : []),
		...(baselineConditions.has(condition_type) ? baselineWindows({ period, length, timezone }, until) : []),
	];
	// Zones whose days were alike ask for the same windows.
	return { all, hasBefore, key: all.map(({ from, until: end }) => `${from}-${end}`).join() };
}
