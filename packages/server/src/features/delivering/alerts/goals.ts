import { metricNames } from "../../../analytics/catalog/metrics.ts";
import { figureOf, metricsFor } from "../../../analytics/catalog/rates.ts";
import { runBySite } from "../../../analytics/query/engine/run.ts";
import type { DateRange } from "../../../analytics/query/question/date-range.ts";
import { periods } from "../../../analytics/query/question/periods.ts";
import { DAY_MS } from "../../../platform/lib/durations.ts";
import { timestamp } from "../../../platform/lib/timestamp.ts";
import { describeCause } from "../../../platform/log/describe-cause.ts";
import type { AlertDeps } from "./deps.ts";
import { attempt, noteAlert } from "./incidents.ts";
import { type EvaluationDeps, type Measure, readableMeasure } from "./read-values.ts";
import type { Rule } from "./rule-fields.ts";
import { reachedGoals } from "./store.ts";
import type { GoalPeriod, RuleState } from "./vocabulary.ts";

const rangeOf = { day: periods.today, week: periods.this_week, month: periods.this_month } as const satisfies Record<
	GoalPeriod,
	unknown
>;

interface Goal {
	readonly rule: Rule;
	readonly measure: Extract<Measure, { kind: "hits" }>;
	readonly range: DateRange;
	/** Names the period: no other of the rule has the same. */
	readonly period: string;
	readonly startedAt: number;
	readonly endsAt: number;
}

/** The goal that a rule describes, in the period that runs at a moment on the site's clock; undefined when it cannot be read. */
export function goalOf({ sites }: Pick<AlertDeps, "sites">, rule: Rule, atMs: number): Goal | undefined {
	const measure = readableMeasure(rule);
	const { timezone } = sites.get(rule.siteId) ?? {};
	const { period } = rule.custom_condition ?? {};
	if (measure?.kind !== "hits" || timezone === undefined || period === undefined) return undefined;
	const day = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timezone).toPlainDate();
	const range = rangeOf[period](day);
	const startOf = (date: Temporal.PlainDate) => date.toZonedDateTime(timezone).epochMilliseconds;
	const [startedAt, endsAt] = [startOf(range.start), startOf(range.end.add({ days: 1 }))];
	return { rule, measure, range, period: `${period} ${range.start}`, startedAt, endsAt };
}

/** Goals whose values one query tells. */
function alikeOf(goals: readonly Goal[]): Iterable<readonly Goal[]> {
	const key = ({ range, measure }: Goal) => `${range.start} ${range.end} ${JSON.stringify(measure.conditions)}`;
	return Map.groupBy(goals, key).values();
}

/** Values of the goals among rules in the periods that run now, by rule; without those that cannot be read. */
export async function goalProgress(deps: Pick<AlertDeps, "sites" | "eventStore" | "clock">, rules: readonly Rule[]) {
	const goals = rules
		.filter(({ alert_type: type }) => type === "goal_reached")
		.map((rule) => goalOf(deps, rule, deps.clock.now()))
		.filter((goal) => goal !== undefined);
	const values = await Promise.all([...alikeOf(goals)].map((alike) => goalValues(deps, alike)));
	return new Map(values.flatMap((some) => [...some]));
}

/** Stores reached goals, each once a period, and sends notifications. */
export async function reachGoals(
	deps: EvaluationDeps,
	rules: readonly Rule[],
	{ until, states }: { readonly until: number; readonly states: Map<number, RuleState> },
): Promise<void> {
	const goals = rules.flatMap((rule) => {
		const readable = readableGoals(deps, rule, until);
		states.set(rule.id, readable.length === 0 ? "error" : "ok");
		return readable;
	});
	const reached = await reachedGoals(
		deps.metadata,
		goals.map(({ rule }) => rule.id),
		[...new Set(goals.map(({ period }) => period))],
	);
	const waiting = goals.filter(({ rule, period }) => !reached.has(`${rule.id}:${period}`));
	for (const alike of alikeOf(waiting)) {
		try {
			const values = await goalValues(deps, alike);
			for (const goal of alike) {
				const value = values.get(goal.rule.id) ?? 0;
				if (value >= goal.rule.threshold_value) await attempt(deps, goal.rule, () => noteReached(deps, goal, value));
			}
		} catch (error) {
			deps.log.warn({ rules: alike.length, cause: describeCause(error) }, "Metrics of goals could not be read");
			for (const { rule } of alike) states.set(rule.id, "error");
		}
	}
}

/** The period of the last full minute; and that of the last look, when it ended between the two. */
function readableGoals(deps: EvaluationDeps, rule: Rule, until: number): Goal[] {
	const { last_evaluated_at: lookedAt, updated_at: changedAt } = rule.stored;
	const isSame = lookedAt !== null && lookedAt >= until - DAY_MS && (changedAt ?? 0) <= lookedAt;
	const goals = [...(isSame ? [lookedAt] : []), until - 1].map((moment) => goalOf(deps, rule, moment));
	const byPeriod = new Map(goals.flatMap((goal) => (goal === undefined ? [] : [[goal.period, goal]])));
	return [...byPeriod.values()];
}

/** Current values of goals with the same period and conditions, by rule. */
export async function goalValues(deps: Pick<AlertDeps, "eventStore">, alike: readonly Goal[]) {
	const [first] = alike;
	if (first === undefined) return new Map();
	const needed = new Set(alike.flatMap(({ measure }) => metricsFor([measure.figure])));
	const rows = await runBySite(deps, {
		site: [...new Set(alike.map(({ rule }) => rule.siteId))],
		range: first.range,
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

function noteReached(deps: EvaluationDeps, { rule, startedAt, endsAt, period }: Goal, value: number): Promise<void> {
	const nowMs = deps.clock.now();
	const found = {
		triggered_at: nowMs,
		severity: "info",
		current_value: value,
		expected_value: rule.threshold_value,
		period_start: startedAt,
		period_end: Math.min(nowMs, endsAt),
		resolved_at: nowMs,
		goal_period: period,
		status: "resolved",
	} as const;
	return noteAlert(deps, rule, found, () => ({
		type: "goal.reached",
		siteId: rule.siteId,
		data: {
			goal_id: rule.id,
			goal_name: rule.custom_condition?.goal_name ?? rule.name,
			metric: rule.metric,
			conversion_type: rule.custom_condition?.conversion_type ?? null,
			target_value: rule.threshold_value,
			current_value: value,
			period_start: timestamp(startedAt),
			reached_at: timestamp(nowMs),
		},
	}));
}
