import type { Static } from "typebox";
import { type FieldError, ServiceError } from "../../../platform/errors/service-error.ts";
import { compileValidator } from "../../../platform/http/validate.ts";
import type { SiteChange } from "../../tenancy/organizations/index.ts";
import { type AttributionChangeDeps, changeAttributionSettings } from "../attribution-settings/index.ts";
import { MAX_RULES, newRow, tooMany } from "./change-rules.ts";
import { patternFault, type RuleFields, toFields } from "./rule.ts";
import { CreateRuleBody } from "./schemas.ts";
import { channelRules, deleteRules, listRules } from "./store.ts";

// The rows of an import follow the same schema as the body that adds one rule.
const check = compileValidator({ schema: CreateRuleBody, method: "POST", url: "", httpPart: "body" });

interface Import {
	readonly rows: readonly unknown[];
	/** Which rules it replaces; `drafts` also stores what it brings as drafts. */
	readonly scope: "all" | "drafts";
}

/** Reads the rows of an import: the rules, and the first thing that is wrong with each of the others. */
function readRows({ rows, scope }: Import) {
	const rules: RuleFields[] = [];
	const faults: FieldError[] = [];
	for (const [index, row] of rows.entries()) {
		const at = `body.rules.${index}`;
		const { value, error } = check(row) as { readonly value?: unknown; readonly error?: Error };
		const rule = error === undefined ? toFields(value as Static<typeof CreateRuleBody>) : undefined;
		const fault = rule === undefined ? faultOf(error, at) : patternFault(rule, at);
		if (fault !== undefined) faults.push(fault);
		else if (rule !== undefined) rules.push(scope === "drafts" ? { ...rule, is_active: false } : rule);
	}
	return { rules, faults };
}

function faultOf(error: unknown, at: string): FieldError {
	const [first] = error instanceof ServiceError ? (error.detail ?? []) : [];
	if (first === undefined) return { field: at, message: "is not valid", type: "value_error" };
	return { ...first, field: first.field.replace(/^body/, at) };
}

/** Replaces rules by those of an import, all or nothing. 422 with a line for each faulty row, 409 when there are too many. */
export async function importRules(deps: AttributionChangeDeps, by: SiteChange, input: Import) {
	// Far too many rows are not read one by one.
	if (input.rows.length > MAX_RULES) throw tooMany();
	const { rules, faults } = readRows(input);
	if (faults.length > 0) throw new ServiceError("validation_error", { detail: faults });
	return changeAttributionSettings(deps, by, async (trx, now) => {
		const deleted = await deleteRules(trx, by.site.id, input.scope);
		if ((await channelRules.count(trx, { site_id: by.site.id })) + rules.length > MAX_RULES) throw tooMany();
		for (const rule of rules) await channelRules.insert(trx, newRow(by.site.id, rule, now));
		const details = { imported: rules.length, deleted, scope: input.scope };
		const total = await channelRules.count(trx, { site_id: by.site.id });
		const answer = { inserted: rules.length, deleted, total_after: total };
		return { answer, entry: { action: "channel_rule.updated", details } };
	});
}

/** Effect of an import, and errors that prevent it. */
export async function tryImport(deps: Pick<AttributionChangeDeps, "metadata">, siteId: string, input: Import) {
	const present = await listRules(deps.metadata, siteId, { includeInactive: true });
	const replaced = present.filter((row) => input.scope === "all" || row.is_active === 0).length;
	const isTooLong = present.length - replaced + input.rows.length > MAX_RULES;
	const { rules, faults } = input.rows.length > MAX_RULES ? { rules: [], faults: [] } : readRows(input);
	const tooLong = { field: "body.rules", message: tooMany().message, type: "maxItems" };
	return { would_insert: rules.length, would_delete: replaced, errors: isTooLong ? [tooLong, ...faults] : faults };
}
