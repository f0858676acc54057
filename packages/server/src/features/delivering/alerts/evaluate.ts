import { attempt } from "./attempt.ts";
import type { EvaluationDeps } from "./deps.ts";
import { reachGoals } from "./goals.ts";
import { type AlertRow, listOpenAlerts, noteCalm } from "./history-store.ts";
import { closeIncident, openIncident } from "./incidents.ts";
import type { Judgement } from "./judge.ts";
import { judge } from "./judge.ts";
import { readValues } from "./read-values.ts";
import { type Rule, ruleOf } from "./rule.ts";
import { listActiveRules, noteStates } from "./store.ts";
import { type RuleState, windowMs } from "./vocabulary.ts";
import { lastFullMinute } from "./windows.ts";

/** Looks at every active rule of every active site, once. Rules wait while hits of the window are not stored yet. */
export async function evaluateRules(deps: EvaluationDeps): Promise<void> {
	const until = lastFullMinute(deps.clock.now());
	const rows = await listActiveRules(deps.metadata);
	const rules = rows.map(ruleOf).filter(({ siteId }) => deps.sites.get(siteId)?.isActive === true);
	if (rules.length === 0) return;
	if (!(await deps.isCaughtUp(until))) {
		deps.log.warn({ rules: rules.length }, "Alert rules wait for hits that are not in the event store yet");
		return;
	}
	const isGoal = ({ alertType }: Rule) => alertType === "goal_reached";
	const states = new Map<number, RuleState>();
	await watch(
		deps,
		rules.filter((rule) => !isGoal(rule)),
		{ until, states },
	);
	await reachGoals(deps, rules.filter(isGoal), { until, states });
	for (const [state, alike] of Map.groupBy(states, ([, found]) => found)) {
		const ids = alike.map(([id]) => id);
		await noteStates(deps.metadata, ids, state, until);
	}
}

interface Round {
	readonly until: number;
	/** What is found of each rule. */
	readonly states: Map<number, RuleState>;
}

async function watch(deps: EvaluationDeps, rules: readonly Rule[], { until, states }: Round): Promise<void> {
	const readings = await readValues(deps, rules, until);
	const open = new Map((await listOpenAlerts(deps.metadata)).map((alert) => [alert.rule_id, alert]));
	const round: Found[] = [];
	for (const rule of rules) {
		const reading = readings.get(rule.id);
		const incident = open.get(rule.id);
		if (reading === undefined) states.set(rule.id, "error");
		else {
			const judgement = judge(rule, reading);
			const isFiring = judgement.fires === true || incident !== undefined;
			const state = judgement.fires === undefined ? "insufficient_data" : "ok";
			states.set(rule.id, isFiring ? "firing" : state);
			round.push({ rule, incident, judgement, value: reading.value });
		}
	}
	await closeCalm(deps, round, { until, states });
	for (const { rule, incident, judgement, value } of round) {
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

/** Closes the incidents whose condition did not hold for one full window, and notes since when it does not hold. */
async function closeCalm(deps: EvaluationDeps, round: readonly Found[], { until, states }: Round): Promise<void> {
	const calm: number[] = [];
	const restless: number[] = [];
	for (const { rule, incident, judgement, value } of round) {
		if (incident === undefined || judgement.fires === undefined) continue;
		const since = incident.calm_since;
		if (judgement.fires) {
			if (since !== null) restless.push(incident.id);
		} else if (since === null) calm.push(incident.id);
		else if (until - since >= windowMs[rule.comparisonWindow]) {
			const ending = { status: "resolved", value, expected: judgement.expected } as const;
			await attempt(deps, rule, async () => {
				await closeIncident(deps, incident, ending);
				states.set(rule.id, "ok");
			});
		}
	}
	await noteCalm(deps.metadata, calm, until);
	await noteCalm(deps.metadata, restless, null);
}
