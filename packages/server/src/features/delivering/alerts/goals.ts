import { metricNames } from "../../../analytics/catalog/metrics.ts";
import { figureOf, metricsFor } from "../../../analytics/catalog/rates.ts";
import { runBySite } from "../../../analytics/query/across-sites.ts";
import type { DateRange } from "../../../analytics/query/date-range.ts";
import { periods } from "../../../analytics/query/periods.ts";
import { todayIn } from "../../../analytics/query/resolve-range.ts";
import { describeCause } from "../../../platform/log/describe-cause.ts";
import type { AlertDeps, EvaluationDeps } from "./deps.ts";
import { insertAlert, reachedGoals } from "./history-store.ts";
import { untouched } from "./incidents.ts";
import { type Measure, measureOf } from "./measure.ts";
import { notify } from "./notify.ts";
import type { Rule } from "./rule.ts";
import { countTrigger } from "./store.ts";
import type { GoalPeriod, RuleState } from "./vocabulary.ts";

const rangeOf = { day: periods.today, week: periods.wtd, month: periods.mtd } as const satisfies Record<
	GoalPeriod,
	unknown
>;

/** A goal in its current period. */
export interface Goal {
	readonly rule: Rule;
	readonly measure: Extract<Measure, { kind: "hits" }>;
	readonly range: DateRange;
	/** Names the period: no other of the rule has the same. */
	readonly period: string;
	/** When it began on the site's clock. */
	readonly startedAt: number;
}

/** The goal that a rule describes, in the period that runs on the site's clock; undefined when it cannot be read. */
export function goalOf({ clock, sites }: Pick<AlertDeps, "clock" | "sites">, rule: Rule): Goal | undefined {
	const measure = measureOf(rule);
	const { timezone } = sites.get(rule.siteId) ?? {};
	const { period } = rule.custom ?? {};
	if (measure?.kind !== "hits" || timezone === undefined || period === undefined) return undefined;
	const range = rangeOf[period](todayIn(timezone, clock));
	const startedAt = range.start.toZonedDateTime(timezone).epochMilliseconds;
	return { rule, measure, range, period: `${period} ${range.start}`, startedAt };
}

/** Notes the goals that are reached, each once a period, and tells of them. */
export async function reachGoals(
	deps: EvaluationDeps,
	rules: readonly Rule[],
	states: Map<number, RuleState>,
): Promise<void> {
	const goals = rules.flatMap((rule) => {
		const goal = readableGoal(deps, rule);
		states.set(rule.id, goal === undefined ? "error" : "ok");
		return goal === undefined ? [] : [goal];
	});
	const reached = await reachedGoals(
		deps.metadata,
		goals.map(({ rule }) => rule.id),
		[...new Set(goals.map(({ period }) => period))],
	);
	const waiting = goals.filter(({ rule, period }) => !reached.has(`${rule.id}:${period}`));
	const key = ({ range, measure }: Goal) => `${range.start} ${range.end} ${JSON.stringify(measure.conditions)}`;
	for (const alike of Map.groupBy(waiting, key).values()) {
		try {
			const values = await goalValues(deps, alike);
			for (const goal of alike) {
				const value = values.get(goal.rule.id) ?? 0;
				if (value >= goal.rule.threshold) await noteReached(deps, goal, value);
			}
		} catch (error) {
			deps.log.warn({ rules: alike.length, cause: describeCause(error) }, "What goals measure could not be read");
			for (const { rule } of alike) states.set(rule.id, "error");
		}
	}
}

function readableGoal(deps: EvaluationDeps, rule: Rule): Goal | undefined {
	try {
		return goalOf(deps, rule);
	} catch {
		return undefined;
	}
}

/** What goals of the same days and conditions have come to, by rule. */
export async function goalValues(
	deps: Pick<AlertDeps, "eventStore">,
	alike: readonly Goal[],
): Promise<ReadonlyMap<number, number>> {
	const [first] = alike;
	if (first === undefined) return new Map();
	const needed = new Set(alike.flatMap(({ measure }) => metricsFor([measure.figure])));
	const rows = await runBySite(deps, {
		sites: [...new Set(alike.map(({ rule }) => rule.siteId))],
		range: first.range,
		dimensions: [],
		metrics: metricNames.filter((name) => needed.has(name)),
		conditions: first.measure.conditions,
	});
	const bySite = new Map(rows.map((row) => [row.site, row]));
	return new Map(
		alike.map(({ rule, measure }) => {
			const row = bySite.get(rule.siteId);
			return [rule.id, row === undefined ? 0 : figureOf(measure.figure, row)];
		}),
	);
}

async function noteReached(deps: EvaluationDeps, goal: Goal, value: number): Promise<void> {
	const { rule } = goal;
	const nowMs = deps.clock.now();
	await deps.metadata
		.transaction()
		.execute(async (trx) => {
			if ((await countTrigger(trx, rule.id, nowMs)) === undefined) return;
			const alert = await insertAlert(trx, {
				...untouched,
				rule_id: rule.id,
				rule_name: rule.name,
				site_id: rule.siteId,
				alert_type: rule.alertType,
				metric: rule.metric,
				severity: "info",
				current_value: value,
				baseline_value: null,
				expected_value: rule.threshold,
				change_percentage: null,
				context: JSON.stringify(rule.custom),
				period_start: goal.startedAt,
				period_end: nowMs,
				triggered_at: nowMs,
				resolved_at: nowMs,
				goal_period: goal.period,
				status: "resolved",
			});
			// Somebody else noted it: their trigger is the one that counts.
			if (alert === undefined) throw new AlreadyReached();
			await deps.events.announce(trx, {
				type: "goal.reached",
				siteId: rule.siteId,
				data: {
					goal_id: rule.id,
					goal_name: rule.custom?.goal_name ?? rule.name,
					metric: rule.metric,
					conversion_type: rule.custom?.conversion_type ?? null,
					target_value: rule.threshold,
					current_value: value,
					period_start: new Date(goal.startedAt).toISOString(),
					reached_at: new Date(nowMs).toISOString(),
				},
			});
			await notify(deps, trx, rule, alert);
		})
		.catch((error: unknown) => {
			if (!(error instanceof AlreadyReached)) throw error;
		});
}

class AlreadyReached extends Error {}
