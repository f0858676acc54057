import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { alreadyThere, type BulkResult, checkExpressions, eachRow, keyOf } from "./add-patterns.ts";
import { auditPattern } from "./audit-pattern.ts";
import { type AllowlistChange, changeAllowlist } from "./change-allowlist.ts";
import type { AllowlistDeps } from "./deps.ts";
import { canonicalPattern } from "./pattern-text.ts";
import { deletePattern, listPatterns, type PatternFields, type PatternRow, updatePattern } from "./store.ts";

/** The answer to an id that the site does not have. */
export const patternNotFound = () => new ServiceError("not_found", { message: "Pattern not found" });

/** Changes a pattern; throws `not_found`, 422 for what is none, and `duplicate_entry`. */
export function changePattern(
	deps: AllowlistDeps,
	by: AllowlistChange,
	id: number,
	changes: Partial<PatternFields>,
): Promise<PatternRow> {
	const now = deps.clock.now();
	return changeAllowlist(deps, by, async (metadata) => {
		const present = await listPatterns(metadata, by.siteId);
		const before = present.find((row) => row.id === id);
		if (before === undefined) throw patternNotFound();
		const type = changes.pattern_type ?? before.pattern_type;
		const pattern = canonicalPattern(type, changes.pattern ?? before.pattern);
		const others = present.filter((row) => row.id !== id);
		if (others.some((row) => keyOf(row) === keyOf({ pattern, pattern_type: type }))) alreadyThere();
		if (type === "regex") checkExpressions(others.filter((row) => row.pattern_type === "regex").length + 1);
		const after = await updatePattern(metadata, by.siteId, id, { ...changes, pattern, updated_at: now });
		if (after === undefined) throw patternNotFound();
		await auditPattern(metadata, by, { before, after }, now);
		return after;
	});
}

/** Removes a pattern; throws `not_found`. */
export const removePattern = (deps: AllowlistDeps, by: AllowlistChange, id: number): Promise<void> =>
	changeAllowlist(deps, by, (metadata) => remove(deps, metadata, by, id), { eases: true });

/** Removes those of some patterns that the site has. */
export const removePatterns = (deps: AllowlistDeps, by: AllowlistChange, ids: readonly number[]): Promise<BulkResult> =>
	changeAllowlist(deps, by, (metadata) => eachRow(ids, (id) => remove(deps, metadata, by, id)), { eases: true });

async function remove(deps: AllowlistDeps, metadata: Metadata, by: AllowlistChange, id: number): Promise<void> {
	const before = await deletePattern(metadata, by.siteId, id);
	if (before === undefined) throw patternNotFound();
	await auditPattern(metadata, by, { before }, deps.clock.now());
}
