import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { addedFields, changedFields, removedFields } from "../../auditing/audit-log/index.ts";
import { changeInTurn, type SiteChange, siteIsFull } from "../../tenancy/organizations/index.ts";
import { askStrangers } from "../mail-recipients/index.ts";
import { checkRule } from "./check-rule.ts";
import type { AlertDeps } from "./deps.ts";
import { findOpenAlert } from "./history-store.ts";
import { closeWithin } from "./incidents.ts";
import { type Addresses, columnsOf, type Rule, type RuleInput, ruleOf } from "./rule-fields.ts";
import { addressesOf, maskedAddress, sealedColumns } from "./sealed-addresses.ts";
import { countRules, deleteRule, findRule, insertRule, type RuleRow, updateRule } from "./store.ts";

const MAX_RULES = 100;

export const ruleNotFound = () => new ServiceError("not_found", { message: "Alert rule not found" });

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
		if ((await countRules(trx, by.site.id)) >= MAX_RULES) throw siteIsFull(MAX_RULES, "alert rules");
		const row = await insertRule(trx, {
			...columnsOf(input),
			sealed_slack_url: null,
			sealed_webhook_url: null,
			...sealedColumns(deps, by.site.id, input),
			site_id: by.site.id,
			state: "ok",
			last_evaluated_at: null,
			trigger_count: 0,
			last_triggered_at: null,
			quiet_until: null,
			created_by: by.actor.userId,
			created_at: now,
			updated_at: null,
		});
		if (input.notify_email) await askStrangers(deps, trx, { siteId: by.site.id, emails: input.email_recipients });
		const details = addedFields(audited(input));
		return { answer: openedRule(deps, row), entry: { action: "alert_rule.created", resourceId: row.id, details } };
	});
}

/** Changes the parts given; throws `not_found`, and 422 when the rule could not work. A rule that is switched off ends its incident. */
export function changeRule(
	deps: AlertDeps,
	by: SiteChange,
	id: number,
	given: Partial<RuleInput>,
): Promise<OpenedRule> {
	return changeInTurn(deps, by, async (trx, now) => {
		const row = await findRule(trx, by.site.id, id);
		if (row === undefined) throw ruleNotFound();
		const before = openedRule(deps, row);
		const changes = withoutMasks(before, given);
		const after = { ...before, ...changes };
		checkRule(deps.outbound, after);
		const isGoalNow = after.alert_type === "goal_reached" && before.alert_type !== "goal_reached";
		// Goals have no incidents, so nothing would end it.
		if (isGoalNow || (before.is_active && !after.is_active)) await endIncident(deps, trx, id);
		const changed = await updateRule(trx, id, {
			...columnsOf(after),
			...sealedColumns(deps, by.site.id, changes),
			...(isGoalNow && { quiet_until: null }),
			updated_at: now,
		});
		if (changed === undefined) throw ruleNotFound();
		const namesPeople = changes.email_recipients !== undefined || changes.notify_email !== undefined;
		if (after.notify_email && namesPeople) {
			await askStrangers(deps, trx, { siteId: by.site.id, emails: after.email_recipients });
		}
		const details = changedFields(audited(before), audited(after));
		return { answer: openedRule(deps, changed), entry: { action: "alert_rule.updated", resourceId: id, details } };
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
		const row = await findRule(trx, by.site.id, id);
		if (row === undefined) throw ruleNotFound();
		await endIncident(deps, trx, id);
		await deleteRule(trx, by.site.id, id);
		const details = removedFields(audited(openedRule(deps, row)));
		return { answer: undefined, entry: { action: "alert_rule.deleted", resourceId: id, details } };
	});
}

async function endIncident(deps: AlertDeps, trx: Metadata, ruleId: number): Promise<void> {
	const open = await findOpenAlert(trx, ruleId);
	if (open !== undefined) await closeWithin(deps, trx, open, { status: "resolved" });
}
