import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { siteIsFull } from "../organizations/index.ts";
import { auditPattern } from "./audit-pattern.ts";
import { type AllowlistChange, changeAllowlist } from "./change-allowlist.ts";
import type { AllowlistDeps } from "./deps.ts";
import { canonicalPattern } from "./pattern-text.ts";
import { insertPattern, listPatterns, type PatternFields, type PatternRow } from "./store.ts";

const MAX_PATTERNS = 1000;
const MAX_EXPRESSIONS = 100;

/** Result of a list of rows: valid ones are stored, each of the others has its reason. */
export interface BulkResult {
	readonly successCount: number;
	readonly errors: readonly { readonly index: number; readonly message: string }[];
}

/** Adds a pattern; 422 for what is none, `duplicate_entry`, `conflict` beyond the most that a site may have. */
export function addPattern(deps: AllowlistDeps, by: AllowlistChange, fields: PatternFields): Promise<PatternRow> {
	return changeAllowlist(deps, by, async (metadata) => {
		const add = await patternAdder(deps, metadata, by);
		return (await add(fields)) ?? alreadyThere();
	});
}

/** Adds those of some patterns that can be added. */
export function addPatterns(
	deps: AllowlistDeps,
	by: AllowlistChange,
	rows: readonly PatternFields[],
): Promise<BulkResult> {
	return changeAllowlist(deps, by, async (metadata) => {
		const add = await patternAdder(deps, metadata, by);
		return eachRow(rows, async (fields) => (await add(fields)) ?? alreadyThere());
	});
}

/** Applies a function to each row; errors of a row are recorded and the next one follows. */
export async function eachRow<Row>(rows: readonly Row[], act: (row: Row) => Promise<unknown>): Promise<BulkResult> {
	const errors: { index: number; message: string }[] = [];
	for (const [index, row] of rows.entries()) {
		try {
			await act(row);
		} catch (error) {
			// A request error is found before anything is written, so the transaction is still good; others end it.
			if (!(error instanceof ServiceError) || error.isOurs) throw error;
			errors.push({ index, message: error.detail?.[0]?.message ?? error.message });
		}
	}
	return { successCount: rows.length - errors.length, errors };
}

/**
 * Adds patterns one after the other inside a change to the list, which keeps others from adding at the same time.
 * The adder answers undefined for a pattern that the site has already.
 */
export async function patternAdder(deps: AllowlistDeps, metadata: Metadata, by: AllowlistChange) {
	const present = await listPatterns(metadata, by.siteId);
	const keys = new Set(present.map(keyOf));
	let expressions = present.filter((row) => row.pattern_type === "regex").length;
	const now = deps.clock.now();

	return async (fields: PatternFields): Promise<PatternRow | undefined> => {
		const isExpression = fields.pattern_type === "regex";
		// Before it is compiled: a text of thousands of expressions must not keep others waiting.
		if (isExpression && !keys.has(keyOf(fields))) checkExpressions(expressions + 1);
		const pattern = canonicalPattern(fields.pattern_type, fields.pattern);
		const key = keyOf({ ...fields, pattern });
		if (keys.has(key)) return undefined;
		if (keys.size >= MAX_PATTERNS) throw siteIsFull(MAX_PATTERNS, "patterns");
		const row = await insertPattern(metadata, {
			...fields,
			pattern,
			site_id: by.siteId,
			created_by: by.actor.userId,
			created_at: now,
			updated_at: now,
		});
		keys.add(key);
		if (isExpression) expressions += 1;
		await auditPattern(metadata, by, { after: row }, now);
		return row;
	};
}

/** Refuses more expressions than a site may have. */
export function checkExpressions(count: number): void {
	if (count > MAX_EXPRESSIONS) throw siteIsFull(MAX_EXPRESSIONS, "regular expressions");
}

/** Identity of a pattern within its site. */
export const keyOf = (row: Pick<PatternFields, "pattern" | "pattern_type">): string =>
	`${row.pattern_type} ${row.pattern}`;

/** Throws `duplicate_entry`. */
export function alreadyThere(): never {
	throw new ServiceError("duplicate_entry", { message: "The site already has this pattern" });
}
