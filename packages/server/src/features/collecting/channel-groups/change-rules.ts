import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { addedFields, changedFields, removedFields } from "../../auditing/audit-log/index.ts";
import type { SiteChange } from "../../tenancy/organizations/index.ts";
import { type AttributionChangeDeps, changeAttributionSettings } from "../attribution-settings/index.ts";
import { checkPatterns, defaultRule, editableFields, ownRule, type RuleFields } from "./rule.ts";
import type { Rule } from "./schemas.ts";
import { channelRules, type RuleRow, type Target, whereOf } from "./store.ts";

/** Own rules that a site may have, drafts included. */
export const MAX_RULES = 100;

const audited = (row: RuleRow) => editableFields(ownRule(row));

/** Adds a rule. 422 for its patterns, 409 when the site has as many as it may. */
export function createRule(deps: AttributionChangeDeps, by: SiteChange, fields: RuleFields): Promise<Rule> {
	checkPatterns(fields, "body");
	return changeAttributionSettings(deps, by, async (trx, now) => {
		if ((await channelRules.count(trx, { site_id: by.site.id })) >= MAX_RULES) throw tooMany();
		const row = await channelRules.insert(trx, newRow(by.site.id, fields, now));
		const details = addedFields(audited(row));
		return { answer: ownRule(row), entry: { action: "channel_rule.created", resourceId: row.id, details } };
	});
}

/** Changes the fields given. Throws `not_found`, `forbidden` for a default rule, `rule_is_live`, and 422 for patterns. */
export function changeRule(
	deps: AttributionChangeDeps,
	target: SiteChange & Target,
	fields: Partial<RuleFields>,
): Promise<Rule> {
	refuseDefault(target.id);
	const { is_active: isActive, ...texts } = fields;
	return changeAttributionSettings(deps, target, async (trx, now) => {
		const before = await findRule(trx, target);
		const row = await channelRules.update(trx, whereOf(target), {
			...texts,
			...(isActive !== undefined && { is_active: isActive ? 1 : 0 }),
			updated_at: now,
		});
		if (before === undefined || row === undefined) throw await whyNotFound(trx, target);
		const rule = ownRule(row);
		// Looked at as a whole, after the write: a fault takes the write back with its transaction.
		checkPatterns(rule, "body");
		const details = changedFields(audited(before), audited(row));
		return { answer: rule, entry: { action: "channel_rule.updated", resourceId: target.id, details } };
	});
}

/** Removes a rule. Throws `not_found`, `forbidden` for a default rule and `rule_is_live`. */
export function removeRule(deps: AttributionChangeDeps, target: SiteChange & Target): Promise<void> {
	refuseDefault(target.id);
	return changeAttributionSettings(deps, target, async (trx) => {
		const row = await channelRules.delete(trx, whereOf(target));
		if (row === undefined) throw await whyNotFound(trx, target);
		const details = removedFields(audited(row));
		return { answer: undefined, entry: { action: "channel_rule.deleted", resourceId: target.id, details } };
	});
}

export const newRow = (siteId: string, fields: RuleFields, nowMs: number): Omit<RuleRow, "id"> => ({
	...fields,
	site_id: siteId,
	is_active: fields.is_active ? 1 : 0,
	created_at: nowMs,
	updated_at: nowMs,
});

export const tooMany = () =>
	new ServiceError("conflict", `A site may have at most ${MAX_RULES} channel rules of its own`);

function refuseDefault(id: number): void {
	if (defaultRule(id) !== undefined) {
		throw new ServiceError("forbidden", "The default channel rules cannot be changed");
	}
}

const findRule = (metadata: Metadata, target: Target) =>
	channelRules.find(metadata, whereOf({ ...target, onlyDrafts: false }));

async function whyNotFound(metadata: Metadata, target: Target): Promise<ServiceError> {
	return (await findRule(metadata, target)) === undefined
		? new ServiceError("not_found", "Channel rule not found")
		: new ServiceError("rule_is_live");
}
