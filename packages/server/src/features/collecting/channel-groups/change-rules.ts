import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import { type Actor, addedFields, changedFields, recordAudit, removedFields } from "../../auditing/audit-log/index.ts";
import { type AttributionChangeDeps, changeAttributionSettings } from "../attribution-settings/index.ts";
import { patternFault } from "./check-patterns.ts";
import { defaultRule, ownRule, type Rule, type RuleFields } from "./rule.ts";
import { countRules, deleteRule, findRule, insertRule, type RuleRow, updateRule } from "./store.ts";

/** Own rules that a site may have, drafts included. */
export const MAX_RULES = 100;

/** What changing rules needs. */
export interface ChannelGroupDeps extends AttributionChangeDeps {
	readonly clock: Clock;
}

/** Whose change it is, and at which site. */
export interface RuleChange {
	readonly siteId: string;
	readonly actor: Actor;
}

/** The rule that a change is for; with `onlyDrafts` a live rule is left alone. */
interface Target extends RuleChange {
	readonly id: number;
	readonly onlyDrafts: boolean;
}

/** What the audit log tells of a rule. */
const audited = ({ channel_name, source_pattern, medium_pattern, campaign_pattern, priority, is_active }: RuleRow) => ({
	channel_name,
	source_pattern,
	medium_pattern,
	campaign_pattern,
	priority,
	is_active: is_active === 1,
});

/** Adds a rule. 422 for its patterns, 409 when the site has as many as it may. */
export async function createRule(
	deps: ChannelGroupDeps,
	{ siteId, actor }: RuleChange,
	fields: RuleFields,
): Promise<Rule> {
	checkPatterns(fields);
	const now = deps.clock.now();
	return changeAttributionSettings(deps, siteId, async (metadata) => {
		if ((await countRules(metadata, siteId)) >= MAX_RULES) throw tooMany();
		const row = await insertRule(metadata, newRow(siteId, fields, now));
		const details = addedFields(audited(row));
		await recordAudit(metadata, actor, { action: "channel_rule.created", resourceId: row.id, siteId, details }, now);
		return ownRule(row);
	});
}

/** Changes the fields given. Throws `not_found`, `forbidden` for a default rule, `rule_is_live`, and 422 for patterns. */
export async function changeRule(deps: ChannelGroupDeps, target: Target, fields: Partial<RuleFields>): Promise<Rule> {
	refuseDefault(target.id);
	const now = deps.clock.now();
	const { siteId, id: resourceId, actor } = target;
	const { is_active: isActive, ...texts } = fields;
	const changes = {
		...texts,
		...(isActive !== undefined && { is_active: isActive ? 1 : 0 }),
		updated_at: now,
	};
	return changeAttributionSettings(deps, siteId, async (metadata) => {
		const before = await findRule(metadata, siteId, resourceId);
		const row: RuleRow | undefined = await updateRule(metadata, target, changes);
		if (before === undefined || row === undefined) throw await whyNotFound({ metadata }, target);
		const rule = ownRule(row);
		// Looked at as a whole, after the write: a fault takes the write back with its transaction.
		checkPatterns(rule);
		const details = changedFields(audited(before), audited(row));
		await recordAudit(metadata, actor, { action: "channel_rule.updated", resourceId, siteId, details }, now);
		return rule;
	});
}

/** Removes a rule. Throws `not_found`, `forbidden` for a default rule and `rule_is_live`. */
export async function removeRule(deps: ChannelGroupDeps, target: Target): Promise<void> {
	refuseDefault(target.id);
	const { siteId, id: resourceId, actor } = target;
	await changeAttributionSettings(deps, siteId, async (metadata) => {
		const row = await deleteRule(metadata, target);
		if (row === undefined) throw await whyNotFound({ metadata }, target);
		const entry = { action: "channel_rule.deleted", resourceId, siteId, details: removedFields(audited(row)) } as const;
		await recordAudit(metadata, actor, entry, deps.clock.now());
	});
}

/** The row that a new rule becomes. */
export const newRow = (siteId: string, fields: RuleFields, nowMs: number): Omit<RuleRow, "id"> => ({
	...fields,
	site_id: siteId,
	is_active: fields.is_active ? 1 : 0,
	created_at: nowMs,
	updated_at: nowMs,
});

/** A site has as many rules as it may. */
export const tooMany = () =>
	new ServiceError("conflict", { message: `A site may have at most ${MAX_RULES} channel rules of its own` });

function checkPatterns(fields: RuleFields): void {
	const fault = patternFault(fields, "body");
	if (fault !== undefined) throw new ServiceError("validation_error", { detail: [fault] });
}

function refuseDefault(id: number): void {
	if (defaultRule(id) !== undefined) {
		throw new ServiceError("forbidden", { message: "The default channel rules cannot be changed" });
	}
}

async function whyNotFound({ metadata }: Pick<ChannelGroupDeps, "metadata">, target: Target): Promise<ServiceError> {
	const row = await findRule(metadata, target.siteId, target.id);
	return row === undefined
		? new ServiceError("not_found", { message: "Channel rule not found" })
		: new ServiceError("rule_is_live");
}
