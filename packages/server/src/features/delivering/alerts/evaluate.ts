import { type Static, Type } from "typebox";
import { Nullable, OneOf } from "../../../platform/http/schemas.ts";
import { inChunks } from "../../../platform/metadata/in-chunks.ts";
import { goalOf, goalValues, reachGoals } from "./goals.ts";
import { attempt, closeIncident, openIncident } from "./incidents.ts";
import { type Judgement, judge } from "./judge.ts";
import { goalMessageOf, messageOf, sendTest } from "./notify.ts";
import { type EvaluationDeps, lastFullMinute, readValues } from "./read-values.ts";
import { type Rule, ruleOf } from "./rule-fields.ts";
import { type AlertRow, alertHistory, alertRules, noteLook } from "./store.ts";
import { type RuleState, severities, windowMs } from "./vocabulary.ts";

/** Looks at every active rule of every active site, once. Rules wait while hits of the window are not stored yet. */
export async function evaluateRules(deps: EvaluationDeps): Promise<void> {
	const until = lastFullMinute(deps.clock.now());
	const rows = await alertRules.list(deps.metadata, { is_active: 1 }, "id");
	const rules = rows.map(ruleOf).filter(({ siteId }) => deps.sites.get(siteId)?.isActive === true);
	if (rules.length === 0) return;
	if (!(await deps.isCaughtUp(until))) {
		deps.log.warn({ rules: rules.length }, "Alert rules wait for hits that are not yet in the event store");
		return;
	}
	const isGoal = ({ alert_type }: Rule) => alert_type === "goal_reached";
	const round: Round = { until, states: new Map(), calm: [], restless: [] };
	await watch(
		deps,
		rules.filter((rule) => !isGoal(rule)),
		round,
	);
	await reachGoals(deps, rules.filter(isGoal), round);
	await noteRound(deps, rules, round);
}

const isOpen = { open_rule_id: { "is not": null } };

interface Round {
	readonly until: number;
	readonly states: Map<number, RuleState>;
	/** Open incidents whose condition does not hold any more, and those whose condition holds again. */
	readonly calm: AlertRow[];
	readonly restless: AlertRow[];
}

/** Notes what was found, all at once: of two processes that look at the same time, one says how a rule stands. */
async function noteRound(deps: EvaluationDeps, rules: readonly Rule[], { until, ...found }: Round): Promise<void> {
	await deps.metadata.transaction().execute(async (trx) => {
		const stored = rules.map((rule) => rule.stored);
		const noted = await noteLook(trx, stored, until);
		for (const [state, alike] of Map.groupBy(found.states, ([, one]) => one)) {
			const ids = alike.map(([id]) => id).filter((id) => noted.has(id));
			await inChunks(ids, (some) => alertRules.updateAll(trx, { id: some }, { state }));
		}
		for (const [alerts, since] of [[found.calm, until] as const, [found.restless, null] as const]) {
			const ids = alerts.filter((alert) => noted.has(alert.rule_id)).map(({ id }) => id);
			await inChunks(ids, (some) => alertHistory.updateAll(trx, { id: some, ...isOpen }, { calm_since: since }));
		}
	});
}

async function watch(deps: EvaluationDeps, rules: readonly Rule[], round: Round): Promise<void> {
	const { until, states } = round;
	const readings = await readValues(deps, rules, until);
	const open = new Map((await alertHistory.list(deps.metadata, isOpen)).map((alert) => [alert.rule_id, alert]));
	const all: Found[] = [];
	for (const rule of rules) {
		const reading = readings.get(rule.id);
		const incident = open.get(rule.id);
		if (reading === undefined) states.set(rule.id, "error");
		else {
			const judgement = judge(rule, reading);
			const isFiring = judgement.fires === true || incident !== undefined;
			const state = judgement.fires === undefined ? "insufficient_data" : "ok";
			states.set(rule.id, isFiring ? "firing" : state);
			all.push({ rule, incident, judgement, value: reading.value });
		}
	}
	await closeCalm(deps, all, round);
	for (const { rule, incident, judgement, value } of all) {
		if (incident === undefined && judgement.fires === true) {
			await attempt(deps, rule, () => openIncident(deps, rule, { judgement, value, until }));
		}
	}
}

interface Found {
	readonly rule: Rule;
	readonly incident: AlertRow | undefined;
	readonly judgement: Judgement;
	readonly value: number;
}

/** Closes the incidents whose condition did not hold for one full window, and finds those that are on the way there. */
async function closeCalm(deps: EvaluationDeps, all: readonly Found[], round: Round): Promise<void> {
	const { until, states, calm, restless } = round;
	for (const { rule, incident, judgement, value } of all) {
		if (incident === undefined || judgement.fires === undefined) continue;
		const since = incident.calm_since;
		if (judgement.fires) {
			if (since !== null) restless.push(incident);
		} else if (since === null) calm.push(incident);
		else if (until - since >= windowMs[rule.comparison_window]) {
			const ending = { status: "resolved", value, expected: judgement.expected } as const;
			await attempt(deps, rule, async () => {
				await closeIncident(deps, incident, ending);
				states.set(rule.id, "ok");
			});
		}
	}
}

export const TestResult = Type.Object({
	success: Type.Boolean({ description: "false: the metric is not available at present" }),
	current_value: Nullable(Type.Number()),
	baseline_value: Nullable(Type.Number()),
	would_trigger: Type.Boolean(),
	change_percentage: Nullable(Type.Number()),
	severity: OneOf(severities),
	notification_sent: Type.Boolean(),
	message: Type.String({ description: "`insufficient_data`: too few windows to compare with" }),
});
type Result = Static<typeof TestResult>;
type Finding = Omit<Result, "notification_sent">;

const nothing = {
	success: true,
	current_value: null,
	baseline_value: null,
	would_trigger: false,
	change_percentage: null,
	severity: "info",
} as const;
const unreadable: Finding = { ...nothing, success: false, message: "The metric cannot be read at present" };

/** Evaluates a rule without opening an incident, and sends its notifications, marked as a test: mail only to the caller. */
export async function testRule(
	deps: EvaluationDeps,
	rule: Rule,
	{ sends, userId }: { readonly sends: boolean; readonly userId: number },
): Promise<Result> {
	const finding = await (rule.alert_type === "goal_reached" ? testGoal(deps, rule) : testCondition(deps, rule));
	const { message, severity } = finding;
	return { ...finding, notification_sent: sends && (await sendTest(deps, rule, { message, severity, userId })) };
}

async function testCondition(deps: EvaluationDeps, rule: Rule): Promise<Finding> {
	const readings = await readValues(deps, [rule], lastFullMinute(deps.clock.now()));
	const reading = readings.get(rule.id);
	if (reading === undefined) return unreadable;
	const { fires, severity, baseline, expected, change } = judge(rule, reading);
	const measured = { current_value: reading.value, change_percentage: change };
	return {
		...measured,
		success: true,
		baseline_value: baseline,
		would_trigger: fires ?? false,
		severity,
		message: fires === undefined ? "insufficient_data" : messageOf(rule, { ...measured, expected_value: expected }),
	};
}

async function testGoal(deps: EvaluationDeps, rule: Rule): Promise<Finding> {
	const goal = goalOf(deps, rule, deps.clock.now());
	if (goal === undefined) return unreadable;
	const value = (await goalValues(deps, [goal])).get(rule.id) ?? 0;
	const message = goalMessageOf(rule, value);
	return { ...nothing, current_value: value, would_trigger: value >= rule.threshold_value, message };
}
