import { figureOf } from "../../../analytics/catalog/rates.ts";
import { firstHits } from "../../../analytics/query/reports/first-hits.ts";
import { type TimeWindow, windowSums } from "../../../analytics/query/reports/window-sums.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import { HOUR_MS } from "../../../platform/lib/durations.ts";
import { describeCause } from "../../../platform/log/describe-cause.ts";
import { inChunks } from "../../../platform/metadata/in-chunks.ts";
import type { SiteDirectory } from "../../tenancy/sites/index.ts";
import type { AlertDeps } from "./deps.ts";
import type { Reading } from "./judge.ts";
import { type Measure, readableMeasure } from "./measure.ts";
import { readRefused } from "./read-refused.ts";
import type { Rule } from "./rule-fields.ts";
import { baselineConditions } from "./vocabulary.ts";
import { baselineWindows, currentWindow, windowBefore } from "./windows.ts";

/** An import may bring hits from before the first one. */
const KEPT_MS = 6 * HOUR_MS;

interface FirstHitDeps {
	readonly eventStore: EventStore;
	readonly sites: Pick<SiteDirectory, "get">;
}

export class FirstHitCache {
	readonly #known = new Map<string, number>();
	#forgetsAt = 0;

	/** Moments by slug; sites without hits are asked for again each time. */
	async of(deps: FirstHitDeps, sites: readonly string[], nowMs: number) {
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

type Readings = ReadonlyMap<number, Reading | undefined>;

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
export async function readValues(deps: EvaluationDeps, rules: readonly Rule[], until: number): Promise<Readings> {
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
