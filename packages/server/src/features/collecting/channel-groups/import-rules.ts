import type { Static } from "typebox";
import { type FieldError, ServiceError } from "../../../platform/errors/service-error.ts";
import { compileValidator } from "../../../platform/http/validate.ts";
import {
	type AttributionChange,
	type AttributionChangeDeps,
	changeAttributionSettings,
} from "../attribution-settings/index.ts";
import { MAX_RULES, newRow, tooMany } from "./change-rules.ts";
import { patternFault, type RuleFields, toFields } from "./rule.ts";
import { CreateRuleBody } from "./schemas.ts";
import { channelRules, deleteRules, listRules } from "./store.ts";

// The rows of an import follow the same schema as the body that adds one rule.
const check = compileValidator({ schema: CreateRuleBody, method: "POST", url: "", httpPart: "body" });

/** Reads one row of an import: the rule, or the first thing that is wrong with it. */
function readRuleRow(row: unknown, index: number): { readonly rule: RuleFields } | { readonly fault: FieldError } {
	const at = `body.rules.${index}`;
	const checked = check(row) as { readonly value?: unknown; readonly error?: Error };
	if (checked.error !== undefined) return { fault: faultOf(checked.error, at) };
	const rule = toFields(checked.value as Static<typeof CreateRuleBody>);
	const fault = patternFault(rule, at);
	return fault === undefined ? { rule } : { fault };
}

function faultOf(error: Error, at: string): FieldError {
	const [first] = error instanceof ServiceError ? (error.detail ?? []) : [];
	if (first === undefined) return { field: at, message: "is not valid", type: "value_error" };
	return { ...first, field: first.field.replace(/^body/, at) };
}

interface Import {
	readonly rows: readonly unknown[];
	/** Which rules it replaces; `drafts` also stores what it brings as drafts. */
	readonly scope: "all" | "drafts";
}

function readRows({ rows, scope }: Import): { rules: RuleFields[]; faults: FieldError[] } {
	const read = rows.map(readRuleRow);
	const rules = read.flatMap((row) => ("rule" in row ? [row.rule] : []));
	return {
		rules: scope === "drafts" ? rules.map((rule) => ({ ...rule, is_active: false })) : rules,
		faults: read.flatMap((row) => ("fault" in row ? [row.fault] : [])),
	};
}

/** Replaces rules by those of an import, all or nothing. 422 with a line for each faulty row, 409 when there are too many. */
export async function importRules(deps: AttributionChangeDeps, by: AttributionChange, input: Import) {
	// Far too many rows are not read one by one.
	if (input.rows.length > MAX_RULES) throw tooMany();
	const { rules, faults } = readRows(input);
	if (faults.length > 0) throw new ServiceError("validation_error", { detail: faults });
	return changeAttributionSettings(deps, by, async (trx, now) => {
		const deleted = await deleteRules(trx, by.siteId, input.scope);
		if ((await channelRules.count(trx, { site_id: by.siteId })) + rules.length > MAX_RULES) throw tooMany();
		for (const rule of rules) await channelRules.insert(trx, newRow(by.siteId, rule, now));
		const details = { imported: rules.length, deleted, scope: input.scope };
		const total = await channelRules.count(trx, { site_id: by.siteId });
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
