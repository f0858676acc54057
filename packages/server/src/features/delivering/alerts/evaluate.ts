import { reachGoals } from "./goals.ts";
import { type AlertRow, listOpenAlerts, noteCalm } from "./history-store.ts";
import { attempt, closeIncident, openIncident } from "./incidents.ts";
import { type Judgement, judge } from "./judge.ts";
import { type EvaluationDeps, readValues } from "./read-values.ts";
import { type Rule, ruleOf } from "./rule-fields.ts";
import { listActiveRules, noteLook, noteStates } from "./store.ts";
import { type RuleState, windowMs } from "./vocabulary.ts";
import { lastFullMinute } from "./windows.ts";

/** Looks at every active rule of every active site, once. Rules wait while hits of the window are not stored yet. */
export async function evaluateRules(deps: EvaluationDeps): Promise<void> {
	const until = lastFullMinute(deps.clock.now());
	const rows = await listActiveRules(deps.metadata);
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

interface Round {
	readonly until: number;
	/** State of each rule. */
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
			await noteStates(trx, ids, state);
		}
		const idsOf = (alerts: readonly AlertRow[]) =>
			alerts.filter((alert) => noted.has(alert.rule_id)).map(({ id }) => id);
		await noteCalm(trx, idsOf(found.calm), until);
		await noteCalm(trx, idsOf(found.restless), null);
	});
}

async function watch(deps: EvaluationDeps, rules: readonly Rule[], round: Round): Promise<void> {
	const { until, states } = round;
	const readings = await readValues(deps, rules, until);
	const open = new Map((await listOpenAlerts(deps.metadata)).map((alert) => [alert.rule_id, alert]));
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
