import type { NewRow } from "../../../../migrations/metadata/tables/index.ts";
import { MINUTE_MS } from "../../../platform/lib/durations.ts";
import { timestamp } from "../../../platform/lib/timestamp.ts";
import { describeCause } from "../../../platform/log/describe-cause.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { AlertDeps } from "./deps.ts";
import type { Judgement } from "./judge.ts";
import { messageOf, notify } from "./notify.ts";
import { currentWindow } from "./read-values.ts";
import { type Rule, ruleOf } from "./rule-fields.ts";
import { type AlertRow, alertHistory, alertRules, countTrigger } from "./store.ts";

/** Does what one rule calls for. When it fails, the other rules go on, and the next look tries again. */
export async function attempt(
	{ log }: Pick<AlertDeps, "log">,
	{ id }: Pick<Rule, "id">,
	work: () => Promise<unknown>,
): Promise<void> {
	try {
		await work();
	} catch (error) {
		log.error({ rule: id, cause: describeCause(error) }, "The result of an alert rule could not be stored");
	}
}

/** Another process has noted the same: its trigger is the one that counts. */
class NotedAlready extends Error {}

export const unsent = { email_sent: 0, slack_sent: 0, webhook_sent: 0 };

type Found = Omit<
	NewRow<"alert_history">,
	keyof typeof unsent | "rule_id" | "rule_name" | "site_id" | "alert_type" | "metric"
>;

/**
 * Stores an entry, tells of it and sends notifications. Nothing is left behind when the rule has an incident, is in its cooldown
 * or is disabled, and when another process has noted the same.
 */
export async function noteAlert(
	deps: AlertDeps,
	rule: Rule,
	found: Found,
	eventOf: (alert: AlertRow) => Parameters<AlertDeps["events"]["announce"]>[1],
): Promise<void> {
	try {
		await deps.metadata.transaction().execute(async (trx) => {
			if ((await countTrigger(trx, rule.id, found.triggered_at)) === undefined) return;
			const alert = await alertHistory.insertUnlessTaken(trx, {
				...unsent,
				rule_id: rule.id,
				rule_name: rule.name,
				site_id: rule.siteId,
				alert_type: rule.alert_type,
				metric: rule.metric,
				context: rule.custom_condition === null ? null : JSON.stringify(rule.custom_condition),
				...found,
			});
			if (alert === undefined) throw new NotedAlready();
			await deps.events.announce(trx, eventOf(alert));
			await notify(deps, trx, rule, alert);
		});
	} catch (error) {
		if (!(error instanceof NotedAlready)) throw error;
	}
}

/** Opens an incident. */
export function openIncident(
	deps: AlertDeps,
	rule: Rule,
	{ judgement, value, until }: { readonly judgement: Judgement; readonly value: number; readonly until: number },
): Promise<void> {
	const window = currentWindow(rule.comparison_window, until);
	const found: Found = {
		triggered_at: deps.clock.now(),
		severity: judgement.severity,
		current_value: value,
		baseline_value: judgement.baseline,
		expected_value: judgement.expected,
		change_percentage: judgement.change,
		period_start: window.from,
		period_end: window.until,
		open_rule_id: rule.id,
		status: "active",
	};
	return noteAlert(deps, rule, found, (alert) => ({
		type: "alert.triggered",
		siteId: alert.site_id,
		data: {
			alert_id: alert.id,
			rule_name: alert.rule_name,
			severity: alert.severity,
			message: messageOf(rule, alert),
			metric: alert.metric,
			current_value: alert.current_value,
			expected_value: alert.expected_value,
			threshold_percent: rule.threshold_value,
			triggered_at: timestamp(alert.triggered_at),
		},
	}));
}

interface Ending {
	readonly status: "resolved" | "false_positive";
	/** The last measured value; the opening value when absent. */
	readonly value?: number;
	readonly expected?: number;
}

/** Closes an incident and sends notifications, once; then the rule's cooldown begins. */
export const closeIncident = (deps: AlertDeps, alert: AlertRow, ending: Ending): Promise<AlertRow | undefined> =>
	deps.metadata.transaction().execute((trx) => closeWithin(deps, trx, alert, ending));

export async function closeWithin(
	deps: Pick<AlertDeps, "clock" | "events">,
	trx: Metadata,
	{ id }: Pick<AlertRow, "id">,
	{ status, value, expected }: Ending,
): Promise<AlertRow | undefined> {
	const nowMs = deps.clock.now();
	const open = { id, open_rule_id: { "is not": null } };
	const closed = await alertHistory.update(trx, open, { status, resolved_at: nowMs, open_rule_id: null });
	if (closed === undefined) return undefined;
	const row = await alertRules.find(trx, { id: closed.rule_id });
	if (row !== undefined) {
		await alertRules.update(
			trx,
			{ id: row.id },
			{ state: "ok", quiet_until: nowMs + ruleOf(row).cooldown_minutes * MINUTE_MS },
		);
	}
	await deps.events.announce(trx, {
		type: "alert.resolved",
		siteId: closed.site_id,
		data: {
			alert_id: closed.id,
			rule_name: closed.rule_name,
			severity: closed.severity,
			metric: closed.metric,
			current_value: value ?? closed.current_value,
			expected_value: expected ?? closed.expected_value,
			triggered_at: timestamp(closed.triggered_at),
			resolved_at: timestamp(nowMs),
		},
	});
	return closed;
}
