import { fieldError, ServiceError } from "../../../platform/errors/service-error.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { GuardedFetch } from "../../../platform/outbound/guarded-fetch.ts";
import { addedFields, changedFields, removedFields } from "../../auditing/audit-log/index.ts";
import { changeInTurn, type SiteChange, siteIsFull } from "../../tenancy/organizations/index.ts";
import { askStrangers } from "../mail-recipients/index.ts";
import type { AlertDeps } from "./deps.ts";
import { closeWithin } from "./incidents.ts";
import { measureOf, refusedWindows } from "./read-values.ts";
import {
	type Addresses,
	addressesOf,
	columnsOf,
	maskedAddress,
	type Rule,
	type RuleInput,
	ruleOf,
	sealedColumns,
} from "./rule-fields.ts";
import { alertHistory, alertRules, type RuleRow } from "./store.ts";
import { baselineConditions, LEAST_WINDOWS, typedFigures } from "./vocabulary.ts";

interface Fault {
	readonly field: string;
	readonly message: string;
	readonly isAt: (rule: RuleInput) => boolean;
}

const hasBaseline = ({ condition_type }: RuleInput) => baselineConditions.has(condition_type);
const isOfRefused = ({ alert_type }: RuleInput) => alert_type === "error_rate";

/** Invalid rules: the field, the message and the condition. Each is checked if those before hold. */
const faults: readonly Fault[] = [
	{
		field: "baseline_period",
		message: "24h has no windows of 24h to compare with",
		isAt: (rule) => rule.baseline_period === "24h" && rule.comparison_window === "24h",
	},
	{
		field: "custom_condition.metric",
		message: "Required when metric is custom",
		isAt: (rule) => rule.metric === "custom" && rule.custom_condition?.metric === undefined,
	},
	{
		field: "custom_condition.utm_source",
		message: "Required when alert_type is source_change",
		isAt: (rule) => rule.alert_type === "source_change" && rule.custom_condition?.utm_source === undefined,
	},
	{
		field: "custom_condition.period",
		message: "Required when alert_type is goal_reached",
		isAt: (rule) => rule.alert_type === "goal_reached" && rule.custom_condition?.period === undefined,
	},
	{
		field: "condition_type",
		message: "Must be absolute_threshold when alert_type is goal_reached",
		isAt: (rule) => rule.alert_type === "goal_reached" && rule.condition_type !== "absolute_threshold",
	},
	{
		field: "custom_condition.conversion_type",
		message: "Counts conversions, microconversions and revenue only",
		isAt: (rule) => {
			const measure = measureOf(rule);
			return (
				rule.custom_condition?.conversion_type !== undefined &&
				measure?.kind === "hits" &&
				!typedFigures.has(measure.figure)
			);
		},
	},
	{
		field: "slack_webhook_url",
		message: "Required when notify_slack is on",
		isAt: (rule) => rule.notify_slack && rule.slack_webhook_url === null,
	},
	{
		field: "custom_webhook_url",
		message: "Required when notify_webhook is on",
		isAt: (rule) => rule.notify_webhook && rule.custom_webhook_url === null,
	},
];

/** Settings with which a rule never fires. A stored rule with one of them can still be disabled. */
const silences: readonly Fault[] = [
	{
		field: "comparison_window",
		message: "At most 6h when alert_type is error_rate: rejected hits are kept for 24 hours",
		isAt: (rule) => isOfRefused(rule) && refusedWindows(rule.comparison_window) < 2,
	},
	{
		field: "comparison_window",
		message: "At most 1h when alert_type is error_rate and windows are compared: rejected hits are kept for 24 hours",
		isAt: (rule) => isOfRefused(rule) && hasBaseline(rule) && refusedWindows(rule.comparison_window) <= LEAST_WINDOWS,
	},
	{
		field: "baseline_period",
		message: "Must be 24h when alert_type is error_rate: rejected hits are kept for 24 hours",
		isAt: (rule) => isOfRefused(rule) && hasBaseline(rule) && rule.baseline_period !== "24h",
	},
];

/** Refuses a rule that could never say anything, or that sends where nothing may be sent: 422 with the field. */
function checkRule(outbound: Pick<GuardedFetch, "urlFault">, rule: RuleInput): void {
	const looked = rule.is_active ? [...faults, ...silences] : faults;
	for (const { field, message, isAt } of looked) if (isAt(rule)) throw fieldError(`body.${field}`, message);
	const urls = [
		["slack_webhook_url", rule.slack_webhook_url],
		["custom_webhook_url", rule.custom_webhook_url],
	] as const;
	for (const [field, url] of urls) {
		const fault = url === null ? undefined : outbound.urlFault(url);
		if (fault !== undefined) throw fieldError(`body.${field}`, fault, "url");
	}
}

const MAX_RULES = 100;

/** A rule of a site; throws `not_found`. */
export async function getRule(metadata: Metadata, siteId: string, id: number): Promise<RuleRow> {
	const row = await alertRules.find(metadata, { site_id: siteId, id });
	if (row === undefined) throw new ServiceError("not_found", "Alert rule not found");
	return row;
}

const hostOf = (url: string | null): string | null => (url === null ? null : new URL(url).host);

/** Audited fields of a rule. The path of an address may be a secret, so it is omitted. */
const audited = (rule: RuleInput) => ({
	...columnsOf(rule),
	slack_webhook_url: hostOf(rule.slack_webhook_url),
	custom_webhook_url: hostOf(rule.custom_webhook_url),
});

type OpenedRule = Rule & Addresses;

export const openedRule = (deps: AlertDeps, row: RuleRow): OpenedRule => ({
	...ruleOf(row),
	...addressesOf(deps, row),
});

/** Adds a rule; 422 when it cannot work, `conflict` beyond 100. */
export function createRule(deps: AlertDeps, by: SiteChange, input: RuleInput): Promise<OpenedRule> {
	checkRule(deps.outbound, input);
	return changeInTurn(deps, by, async (trx, now) => {
		if ((await alertRules.count(trx, { site_id: by.site.id })) >= MAX_RULES) throw siteIsFull(MAX_RULES, "alert rules");
		const row = await alertRules.insert(trx, {
			...columnsOf(input),
			...sealedColumns(deps, by.site.id, input),
			site_id: by.site.id,
			state: "ok",
			trigger_count: 0,
			created_by: by.actor.userId,
			created_at: now,
		});
		if (input.notify_email) await askStrangers(deps, trx, { siteId: by.site.id, emails: input.email_recipients });
		const details = addedFields(audited(input));
		return { answer: openedRule(deps, row), entry: { action: "alert_rule.created", resourceId: row.id, details } };
	});
}

/** Changes the parts given; throws `not_found`, and 422 when the rule could not work. A rule that is switched off ends its incident. */
export function changeRule(deps: AlertDeps, by: SiteChange, id: number, given: Partial<RuleInput>) {
	return changeInTurn(deps, by, async (trx, now) => {
		const row = await getRule(trx, by.site.id, id);
		const before = openedRule(deps, row);
		const changes = withoutMasks(before, given);
		const after = { ...before, ...changes };
		checkRule(deps.outbound, after);
		const isGoalNow = after.alert_type === "goal_reached" && before.alert_type !== "goal_reached";
		// Goals have no incidents, so nothing would end it.
		if (isGoalNow || (before.is_active && !after.is_active)) await endIncident(deps, trx, id);
		const changed = await alertRules.update(
			trx,
			{ id },
			{
				...columnsOf(after),
				...sealedColumns(deps, by.site.id, changes),
				...(isGoalNow && { quiet_until: null }),
				updated_at: now,
			},
		);
		const namesPeople = changes.email_recipients !== undefined || changes.notify_email !== undefined;
		if (after.notify_email && namesPeople) {
			await askStrangers(deps, trx, { siteId: by.site.id, emails: after.email_recipients });
		}
		const details = changedFields(audited(before), audited(after));
		return {
			answer: openedRule(deps, changed ?? row),
			entry: { action: "alert_rule.updated", resourceId: id, details },
		};
	});
}

/** An address that comes back as it was shown is no change. */
function withoutMasks({ slack_webhook_url }: Addresses, changes: Partial<RuleInput>): Partial<RuleInput> {
	const { slack_webhook_url: given, ...others } = changes;
	return slack_webhook_url !== null && given === maskedAddress(slack_webhook_url) ? others : changes;
}

/** Deletes a rule and ends its incident; its alerts stay in the history. Throws `not_found`. */
export function removeRule(deps: AlertDeps, by: SiteChange, id: number): Promise<void> {
	return changeInTurn(deps, by, async (trx) => {
		const row = await getRule(trx, by.site.id, id);
		await endIncident(deps, trx, id);
		await alertRules.delete(trx, { id });
		const details = removedFields(audited(openedRule(deps, row)));
		return { answer: undefined, entry: { action: "alert_rule.deleted", resourceId: id, details } };
	});
}

async function endIncident(deps: AlertDeps, trx: Metadata, ruleId: number): Promise<void> {
	const open = await alertHistory.find(trx, { open_rule_id: ruleId });
	if (open !== undefined) await closeWithin(deps, trx, open, { status: "resolved" });
}
