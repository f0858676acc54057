import type { Static } from "typebox";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { type AuditDetails, changedFields, recordAudit } from "../../auditing/audit-log/index.ts";
import { siteIsFull } from "../organizations/index.ts";
import { canonicalPattern } from "./address-list.ts";
import { type AllowlistChange, changeAllowlist } from "./change-allowlist.ts";
import type { AllowlistDeps } from "./open-ip-allowlists.ts";
import type { ImportBody } from "./schemas.ts";
import { type PatternFields, type PatternRow, patterns } from "./store.ts";

export const patternNotFound = () => new ServiceError("not_found", { message: "Pattern not found" });

/** Changes a pattern; throws `not_found`, 422 for what is none, and `duplicate_entry`. */
export function changePattern(
	deps: AllowlistDeps,
	by: AllowlistChange,
	id: number,
	changes: { readonly [Field in keyof PatternFields]?: PatternFields[Field] | undefined },
): Promise<PatternRow> {
	const now = deps.clock.now();
	const where = { site_id: by.site.id, id };
	return changeAllowlist(deps, by, async (metadata) => {
		const present = await patterns.list(metadata, { site_id: by.site.id }, "id");
		const before = present.find((row) => row.id === id);
		if (before === undefined) throw patternNotFound();
		const type = changes.pattern_type ?? before.pattern_type;
		const pattern = canonicalPattern(type, changes.pattern ?? before.pattern);
		const others = present.filter((row) => row.id !== id);
		if (others.some((row) => keyOf(row) === keyOf({ pattern, pattern_type: type }))) alreadyThere();
		if (type === "regex") checkExpressions(others.filter((row) => row.pattern_type === "regex").length + 1);
		const after = await patterns.update(metadata, where, { ...changes, pattern, updated_at: now });
		if (after === undefined) throw patternNotFound();
		await auditPattern(metadata, by, ["updated", after, changedFields(fieldsOf(before), fieldsOf(after))], now);
		return after;
	});
}

export const removePattern = (deps: AllowlistDeps, by: AllowlistChange, id: number): Promise<void> =>
	changeAllowlist(deps, by, (metadata) => remove(deps, metadata, by, id), { eases: true });

/** Removes those of some patterns that the site has. */
export const removePatterns = (deps: AllowlistDeps, by: AllowlistChange, ids: readonly number[]): Promise<BulkResult> =>
	changeAllowlist(deps, by, (metadata) => eachRow(ids, (id) => remove(deps, metadata, by, id)), { eases: true });

async function remove(deps: AllowlistDeps, metadata: Metadata, by: AllowlistChange, id: number): Promise<void> {
	const before = await patterns.delete(metadata, { site_id: by.site.id, id });
	if (before === undefined) throw patternNotFound();
	await auditPattern(metadata, by, ["deleted", before], deps.clock.now());
}

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
export async function addPatterns(
	deps: AllowlistDeps,
	by: AllowlistChange,
	rows: readonly PatternFields[],
	skipDuplicates = false,
): Promise<BulkResult> {
	let skipped = 0;
	const result = await changeAllowlist(deps, by, async (metadata) => {
		const add = await patternAdder(deps, metadata, by);
		return eachRow(rows, async (fields) => {
			if ((await add(fields)) !== undefined) return;
			if (!skipDuplicates) alreadyThere();
			skipped += 1;
		});
	});
	return { ...result, successCount: result.successCount - skipped };
}

/** Applies a function to each row; errors of a row are recorded and the next one follows. */
async function eachRow<Row>(rows: readonly Row[], act: (row: Row) => Promise<unknown>): Promise<BulkResult> {
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
async function patternAdder(deps: AllowlistDeps, metadata: Metadata, by: AllowlistChange) {
	const present = await patterns.list(metadata, { site_id: by.site.id }, "id");
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
		const row = await patterns.insert(metadata, {
			...fields,
			pattern,
			site_id: by.site.id,
			created_by: by.actor.userId,
			created_at: now,
			updated_at: now,
		});
		keys.add(key);
		if (isExpression) expressions += 1;
		await auditPattern(metadata, by, ["created", row], now);
		return row;
	};
}

function checkExpressions(count: number): void {
	if (count > MAX_EXPRESSIONS) throw siteIsFull(MAX_EXPRESSIONS, "regular expressions");
}

const keyOf = (row: Pick<PatternFields, "pattern" | "pattern_type">): string => `${row.pattern_type} ${row.pattern}`;

function alreadyThere(): never {
	throw new ServiceError("duplicate_entry", { message: "The site already has this pattern" });
}

const fieldsOf = ({ pattern, pattern_type, label, description, is_active }: PatternRow) => ({
	pattern,
	pattern_type,
	label,
	description,
	is_active: is_active === 1,
});

const identityOf = ({ pattern, pattern_type }: PatternRow) => ({ pattern, pattern_type });

async function auditPattern(
	metadata: Metadata,
	{ actor, site }: AllowlistChange,
	[action, row, details]: ["created" | "updated" | "deleted", PatternRow, AuditDetails?],
	nowMs: number,
): Promise<void> {
	const entry = { resourceId: row.id, siteId: site.id, details: details ?? identityOf(row) };
	await recordAudit(metadata, actor, { action: `ip_pattern.${action}`, ...entry }, nowMs);
}

const MAX_LABEL = 100;

/** Adds the patterns of a text; errors name the line, counted from 0. */
export async function importPatterns(
	deps: AllowlistDeps,
	by: AllowlistChange,
	{ text, default_pattern_type: defaultType, label_prefix: prefix, skip_duplicates }: Static<typeof ImportBody>,
): Promise<BulkResult> {
	const lines = text.split(/\r\n|\n|\r/).flatMap((line, index) => {
		const hash = line.indexOf("#");
		const pattern = (hash < 0 ? line : line.slice(0, hash)).trim();
		if (pattern === "") return [];
		const comment = hash < 0 ? "" : line.slice(hash + 1).trim();
		const label = [prefix ?? "", comment].filter((part) => part !== "").join(" ");
		const pattern_type = pattern.includes("/") ? "cidr" : defaultType;
		return [{ index, pattern, pattern_type, label: label === "" ? null : label.slice(0, MAX_LABEL) }];
	});
	const rows = lines.map(({ index: _, ...fields }) => ({ ...fields, description: null, is_active: 1 }));
	const { successCount, errors } = await addPatterns(deps, by, rows, skip_duplicates);
	return {
		successCount,
		errors: errors.map((error) => ({ ...error, index: lines[error.index]?.index ?? error.index })),
	};
}

/** The text of some patterns, in the form that `importPatterns` reads. */
export const exportText = (rows: readonly PatternRow[]): string =>
	rows
		.map(({ pattern, label }) => {
			const comment = label?.replaceAll(/\s+/g, " ").trim() ?? "";
			return `${pattern}${comment === "" ? "" : ` # ${comment}`}\n`;
		})
		.join("");
