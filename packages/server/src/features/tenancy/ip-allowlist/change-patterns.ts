import { type Static, Type } from "typebox";
import type { SiteVisit } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { Nullable, OneOf, Text } from "../../../platform/http/schemas.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { countSettingChange } from "../../../platform/metadata/setting-versions.ts";
import { type AuditDetails, changedFields, recordAudit } from "../../auditing/audit-log/index.ts";
import {
	findOrganization,
	type Requester,
	requireFeature,
	type SiteChange,
	siteChangeOf,
	siteIsFull,
} from "../organizations/index.ts";
import { findSite } from "../sites/index.ts";
import { canonicalPattern, decide } from "./address-list.ts";
import { ALLOWLIST_TOPIC, type AllowlistDeps, siteAllowlist } from "./open-ip-allowlists.ts";
import { allowlistSettings, type PatternFields, type PatternRow, patterns, type SettingsRow } from "./store.ts";

export const types = ["ip", "cidr", "regex"] as const;
export const optionalText = (maxLength: number) => Type.Optional(Nullable(Text(0, maxLength)));

/** Switches that are absent stay as they are. */
export const SettingsBody = Type.Object({
	is_enabled: Type.Optional(Type.Boolean()),
	enforce_for_api_tokens: Type.Optional(Type.Boolean({ description: "API keys and connected apps" })),
	enforce_for_dashboard: Type.Optional(Type.Boolean({ description: "Signed-in users" })),
});

export const ImportBody = Type.Object({
	text: Type.String({
		minLength: 1,
		maxLength: 50_000,
		"x-characters": "lines",
		description: "One pattern a line; `#` starts a comment, which becomes the label",
	}),
	default_pattern_type: OneOf(types, {
		default: "ip",
		description: "For lines without a slash; lines with a slash are ranges",
	}),
	label_prefix: optionalText(50),
	skip_duplicates: Type.Boolean({
		default: true,
		description: "Skips patterns that the site has; otherwise they are an error",
	}),
});

export const patternNotFound = () => new ServiceError("not_found", "Pattern not found");

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
export const Bulk = Type.Object({
	success_count: Type.Integer(),
	error_count: Type.Integer(),
	errors: Type.Array(
		Type.Object({ index: Type.Integer({ description: "Index of the row or line, from 0" }), message: Type.String() }),
	),
});
type BulkResult = Static<typeof Bulk>;

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
	return { ...result, success_count: result.success_count - skipped };
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
	return { success_count: rows.length - errors.length, error_count: errors.length, errors };
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
	throw new ServiceError("duplicate_entry", "The site already has this pattern");
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
	const added = await addPatterns(deps, by, rows, skip_duplicates);
	const errors = added.errors.map((error) => ({ ...error, index: lines[error.index]?.index ?? error.index }));
	return { ...added, errors };
}

/** The text of some patterns, in the form that `importPatterns` reads. */
export const exportText = (rows: readonly PatternRow[]): string =>
	rows
		.map(({ pattern, label }) => {
			const comment = label?.replaceAll(/\s+/g, " ").trim() ?? "";
			return `${pattern}${comment === "" ? "" : ` # ${comment}`}\n`;
		})
		.join("");

interface AllowlistChange extends SiteChange {
	readonly visit: SiteVisit;
}

/**
 * Runs a change to a site's list in one transaction and refreshes the directory of this process before it answers.
 * Changes run one after the other. `change` must use the store that it is given.
 * Throws `forbidden` when the plan has no allowlist, unless the change is one that eases a list, and `conflict` when the list as it would be shuts its changer out.
 */
async function changeAllowlist<T>(
	deps: Pick<AllowlistDeps, "metadata" | "allowlists">,
	{ site, visit }: AllowlistChange,
	change: (metadata: Metadata) => Promise<T>,
	{ eases = false }: { readonly eases?: boolean } = {},
): Promise<T> {
	const result = await deps.metadata.transaction().execute(async (metadata) => {
		await countSettingChange(metadata, ALLOWLIST_TOPIC, [site.id]);
		if (!eases) {
			const organization = await findOrganization(metadata, site.organizationId);
			requireFeature(organization?.plan_tier ?? "free", "ip_allowlist");
		}
		const changed = await change(metadata);
		await refuseLockOut(metadata, site.id, visit);
		return changed;
	});
	await deps.allowlists.refresh();
	return result;
}

async function refuseLockOut(metadata: Metadata, siteId: string, visit: SiteVisit): Promise<void> {
	const settings = await allowlistSettings.find(metadata, { site_id: siteId });
	if (settings === undefined || settings.is_enabled === 0) return;
	const active = await patterns.list(metadata, { site_id: siteId, is_active: 1 }, "id");
	if (decide(siteAllowlist(settings, active), visit).isGranted) return;
	throw new ServiceError("conflict", "The rule would lock out your own address");
}

/** The settings of a site; those of one that has never set any are as old as the site. */
export async function settingsOf(metadata: Metadata, siteId: string): Promise<SettingsRow> {
	const stored = await allowlistSettings.find(metadata, { site_id: siteId });
	if (stored !== undefined) return stored;
	const created = (await findSite(metadata, siteId))?.created_at ?? 0;
	return {
		site_id: siteId,
		is_enabled: 0,
		enforce_for_api_tokens: 1,
		enforce_for_dashboard: 1,
		created_at: created,
		updated_at: created,
	};
}

export function changeSettings(
	deps: AllowlistDeps,
	by: AllowlistChange,
	changes: Static<typeof SettingsBody>,
): Promise<SettingsRow> {
	const siteId = by.site.id;
	const now = deps.clock.now();
	const change = async (metadata: Metadata) => {
		const before = await settingsOf(metadata, siteId);
		const fields = settingNames.flatMap((name) => (changes[name] === undefined ? [] : [[name, Number(changes[name])]]));
		const after = { ...Object.fromEntries(fields), updated_at: now };
		const row =
			(await allowlistSettings.update(metadata, { site_id: siteId }, after)) ??
			(await allowlistSettings.insert(metadata, { ...before, ...after, created_at: now }));
		const details = changedFields(auditedSettings(before), auditedSettings(row));
		await recordAudit(metadata, by.actor, { action: "ip_allowlist.settings_updated", siteId, details }, now);
		return row;
	};
	return changeAllowlist(deps, by, change, { eases: changes.is_enabled === false });
}

const settingNames = ["is_enabled", "enforce_for_api_tokens", "enforce_for_dashboard"] as const;

const auditedSettings = (row: SettingsRow) => Object.fromEntries(settingNames.map((name) => [name, row[name] === 1]));

export const changeOf = (request: Requester & Pick<AllowlistChange, "site" | "visit">): AllowlistChange => ({
	...siteChangeOf(request),
	visit: request.visit,
});
