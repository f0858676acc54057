import { ApiError } from "../../../platform/http/api-error.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
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

/** The rule that a change is for; with `onlyDrafts` a live rule is left alone. */
interface Target {
	readonly siteId: string;
	readonly id: number;
	readonly onlyDrafts: boolean;
}

/** Adds a rule. 422 for its patterns, 409 when the site has as many as it may. */
export async function createRule(deps: ChannelGroupDeps, siteId: string, fields: RuleFields): Promise<Rule> {
	checkPatterns(fields);
	return changeAttributionSettings(deps, siteId, async (metadata) => {
		if ((await countRules(metadata, siteId)) >= MAX_RULES) throw tooMany();
		return ownRule(await insertRule(metadata, newRow(siteId, fields, deps.clock.now())));
	});
}

/** Changes the fields given. Throws `not_found`, `forbidden` for a default rule, `rule_is_live`, and 422 for patterns. */
export async function changeRule(deps: ChannelGroupDeps, target: Target, fields: Partial<RuleFields>): Promise<Rule> {
	refuseDefault(target.id);
	const { is_active: isActive, ...texts } = fields;
	const changes = {
		...texts,
		...(isActive !== undefined && { is_active: isActive ? 1 : 0 }),
		updated_at: deps.clock.now(),
	};
	return changeAttributionSettings(deps, target.siteId, async (metadata) => {
		const row: RuleRow | undefined = await updateRule(metadata, target, changes);
		if (row === undefined) throw await whyNotFound({ metadata }, target);
		const rule = ownRule(row);
		// Looked at as a whole, after the write: a fault takes the write back with its transaction.
		checkPatterns(rule);
		return rule;
	});
}

/** Removes a rule. Throws `not_found`, `forbidden` for a default rule and `rule_is_live`. */
export async function removeRule(deps: ChannelGroupDeps, target: Target): Promise<void> {
	refuseDefault(target.id);
	await changeAttributionSettings(deps, target.siteId, async (metadata) => {
		if (!(await deleteRule(metadata, target))) throw await whyNotFound({ metadata }, target);
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
	new ApiError("conflict", { message: `A site may have at most ${MAX_RULES} channel rules of its own` });

function checkPatterns(fields: RuleFields): void {
	const fault = patternFault(fields, "body");
	if (fault !== undefined) throw new ApiError("validation_error", { detail: [fault] });
}

function refuseDefault(id: number): void {
	if (defaultRule(id) !== undefined) {
		throw new ApiError("forbidden", { message: "The default channel rules cannot be changed" });
	}
}

async function whyNotFound({ metadata }: Pick<ChannelGroupDeps, "metadata">, target: Target): Promise<ApiError> {
	const row = await findRule(metadata, target.siteId, target.id);
	return row === undefined
		? new ApiError("not_found", { message: "Channel rule not found" })
		: new ApiError("rule_is_live");
}
