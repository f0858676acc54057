import { type Static, type TSchema, Type } from "typebox";
import { AccountQuery, account, readingAccount, writingAccount } from "../../../access/index.ts";
import { fieldError } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { presentRow } from "../../../platform/http/present-row.ts";
import { ErrorRef, Id, limitAndOffset, Nullable, OneOf, Text, Timestamp } from "../../../platform/http/schemas.ts";
import { canonicalIp } from "../../../platform/lib/ip-address.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { compileAddressList } from "./address-list.ts";
import {
	addPattern,
	addPatterns,
	Bulk,
	changeOf,
	changePattern,
	changeSettings,
	exportText,
	ImportBody,
	importPatterns,
	optionalText,
	patternNotFound,
	removePattern,
	removePatterns,
	SettingsBody,
	settingsOf,
	types,
} from "./change-patterns.ts";
import type { AllowlistDeps } from "./open-ip-allowlists.ts";
import { attempts, listAttempts, type PatternFields, type PatternRow, patterns, type SettingsRow } from "./store.ts";

const description = () => Type.Optional(Nullable(Type.String({ maxLength: 500, "x-characters": "lines" })));

const ListQuery = Type.Object({ ...account, include_inactive: Type.Boolean({ default: false }) });
const AttemptsQuery = Type.Object({
	...account,
	denied_only: Type.Boolean({ default: false }),
	...limitAndOffset({ limit: 100, max: 1000 }),
});
const PatternParams = Type.Object({ id: Id() });

const patternText = () =>
	Text(1, 255, {
		description: "An address, a range such as 203.0.113.0/24, or an RE2 expression for the whole canonical address",
	});

const CreatePatternBody = Type.Object({
	pattern: patternText(),
	pattern_type: OneOf(types, { default: "ip" }),
	label: optionalText(100),
	description: description(),
	is_active: Type.Boolean({ default: true }),
});

const ChangePatternBody = Type.Object({
	pattern: Type.Optional(patternText()),
	pattern_type: Type.Optional(OneOf(types)),
	label: optionalText(100),
	description: description(),
	is_active: Type.Optional(Type.Boolean()),
});

const upTo100 = <T extends TSchema>(item: T) => Type.Array(item, { minItems: 1, maxItems: 100 });
const BulkBody = Type.Object({ patterns: upTo100(CreatePatternBody) });
const BulkDeleteBody = Type.Object({ pattern_ids: upTo100(Id()) });
const CheckBody = Type.Object({ ip_address: Text(1, 64) });
const Settings = Type.Object({
	account_id: Type.String(),
	is_enabled: Type.Boolean(),
	enforce_for_api_tokens: Type.Boolean(),
	enforce_for_dashboard: Type.Boolean(),
	active_patterns_count: Type.Integer(),
	created_at: Timestamp(),
	updated_at: Timestamp(),
});

const Pattern = Type.Object({
	id: Type.Integer(),
	account_id: Type.String(),
	pattern: Type.String(),
	pattern_type: OneOf(types),
	label: Nullable(Type.String()),
	description: Nullable(Type.String()),
	is_active: Type.Boolean(),
	created_by: Nullable(Type.Integer({ description: "User id" })),
	created_at: Timestamp(),
	updated_at: Timestamp(),
});
const PatternList = Type.Object({
	patterns: Type.Array(Pattern),
	total: Type.Integer({ description: "Among the listed patterns" }),
	active_count: Type.Integer(),
});
const Check = Type.Object({
	ip_address: Type.String(),
	is_allowed: Type.Boolean(),
	matched_pattern: Nullable(Pattern),
	allowlist_enabled: Type.Boolean(),
});
const Export = Type.Object({ text: Type.String(), count: Type.Integer() });
const Attempt = Type.Object({
	id: Type.Integer(),
	account_id: Type.String(),
	user_id: Nullable(Type.Integer()),
	user_email: Nullable(Type.String()),
	ip_address: Type.String(),
	auth_type: OneOf(["jwt", "api_key", "oauth", "share"]),
	access_granted: Type.Boolean(),
	matched_pattern_id: Nullable(Type.Integer()),
	matched_pattern: Nullable(Type.String({ description: "At the time of the access" })),
	user_agent: Nullable(Type.String()),
	created_at: Timestamp(),
});
const AttemptList = Type.Object({
	attempts: Type.Array(Attempt),
	total: Type.Integer(),
	denied_count: Type.Integer(),
});

const tags = ["IP allowlist"];
const reading = { tags, querystring: AccountQuery, guard: readingAccount("admin") };
const writing = { tags, querystring: AccountQuery, guard: writingAccount("admin") };
const conflict = (description: string) => ({ 409: { description, ...ErrorRef } });
const shutsOut = conflict("`conflict`: the caller's own address would be locked out");
const clash = conflict("`duplicate_entry`, or `conflict`: the caller's own address would be locked out");
const tooMany = conflict("`duplicate_entry`, or `conflict`: the site has 1,000 patterns or 100 expressions already");

/** Routes on the addresses from which a site may be opened. */
export function registerIpAllowlist(app: App, deps: AllowlistDeps): void {
	addRoute(app, "GET /ip-allowlist/settings", {
		...reading,
		summary: "Settings of the IP allowlist",
		data: Settings,
		handler: async (request) => describeSettings(deps.metadata, await settingsOf(deps.metadata, request.site.id)),
	});
	addRoute(app, "PUT /ip-allowlist/settings", {
		...writing,
		summary: "Enable or disable the IP allowlist",
		body: SettingsBody,
		data: Settings,
		errors: shutsOut,
		handler: async (request) =>
			describeSettings(deps.metadata, await changeSettings(deps, changeOf(request), request.body)),
	});
	addRoute(app, "GET /ip-allowlist/patterns", {
		...reading,
		querystring: ListQuery,
		summary: "Patterns of the IP allowlist",
		data: PatternList,
		handler: async (request) => {
			const rows = await patterns.list(deps.metadata, { site_id: request.site.id }, "id");
			const active = rows.filter((row) => row.is_active === 1);
			const listed = (request.query.include_inactive ? rows : active).map(presentPattern);
			return { patterns: listed, total: listed.length, active_count: active.length };
		},
	});
	addRoute(app, "GET /ip-allowlist/patterns/:id", {
		...reading,
		summary: "One pattern of the IP allowlist",
		params: PatternParams,
		data: Pattern,
		handler: async (request) => {
			const row = await patterns.find(deps.metadata, { site_id: request.site.id, id: request.params.id });
			if (row === undefined) throw patternNotFound();
			return presentPattern(row);
		},
	});
	addRoute(app, "POST /ip-allowlist/patterns", {
		...writing,
		summary: "Add a pattern to the IP allowlist",
		body: CreatePatternBody,
		status: 201,
		data: Pattern,
		errors: tooMany,
		handler: async (request) => presentPattern(await addPattern(deps, changeOf(request), parsePattern(request.body))),
	});
	addRoute(app, "PATCH /ip-allowlist/patterns/:id", {
		...writing,
		summary: "Change a pattern of the IP allowlist",
		params: PatternParams,
		body: ChangePatternBody,
		data: Pattern,
		errors: clash,
		handler: async (request) => {
			// Bodies may have unknown fields, so the known ones are picked by name.
			const { pattern, pattern_type, label, description, is_active: isActive } = request.body;
			const is_active = isActive === undefined ? undefined : Number(isActive);
			const changes = { pattern, pattern_type, label, description, is_active };
			return presentPattern(await changePattern(deps, changeOf(request), request.params.id, changes));
		},
	});
	addRoute(app, "DELETE /ip-allowlist/patterns/:id", {
		...writing,
		summary: "Remove a pattern of the IP allowlist",
		params: PatternParams,
		empty: "Removed",
		errors: shutsOut,
		handler: (request) => removePattern(deps, changeOf(request), request.params.id),
	});
	addRoute(app, "POST /ip-allowlist/patterns/bulk", {
		...writing,
		summary: "Add many patterns to the IP allowlist",
		body: BulkBody,
		status: 201,
		data: Bulk,
		handler: (request) => addPatterns(deps, changeOf(request), request.body.patterns.map(parsePattern)),
	});
	addRoute(app, "POST /ip-allowlist/patterns/bulk-delete", {
		...writing,
		summary: "Remove many patterns from the IP allowlist",
		body: BulkDeleteBody,
		guard: { ...writing.guard, impersonation: "refused" },
		data: Bulk,
		errors: shutsOut,
		handler: (request) => removePatterns(deps, changeOf(request), request.body.pattern_ids),
	});
	addRoute(app, "GET /ip-allowlist/export", {
		...reading,
		querystring: ListQuery,
		summary: "Export the patterns as text, one per line",
		data: Export,
		handler: async (request) => {
			const shown = request.query.include_inactive ? {} : { is_active: 1 };
			const listed = await patterns.list(deps.metadata, { site_id: request.site.id, ...shown }, "id");
			return { text: exportText(listed), count: listed.length };
		},
	});
	addRoute(app, "POST /ip-allowlist/import", {
		...writing,
		summary: "Import patterns from text",
		body: ImportBody,
		data: Bulk,
		handler: (request) => importPatterns(deps, changeOf(request), request.body),
	});
	addRoute(app, "POST /ip-allowlist/check", {
		...reading,
		summary: "Check an address against the IP allowlist",
		body: CheckBody,
		data: Check,
		handler: async (request) => {
			const ip = canonicalIp(request.body.ip_address);
			if (ip === undefined) throw fieldError("body.ip_address", "Must be an IPv4 or IPv6 address", "ip_address");
			return checkAddress(deps.metadata, request.site.id, ip);
		},
	});
	addRoute(app, "GET /ip-allowlist/check-current", {
		...reading,
		summary: "Check the caller's address against the IP allowlist",
		data: Check,
		handler: (request) => checkAddress(deps.metadata, request.site.id, canonicalIp(request.ip) ?? request.ip),
	});
	addRoute(app, "GET /ip-allowlist/audit", {
		...reading,
		summary: "Access log of a site with addresses, newest first",
		querystring: AttemptsQuery,
		data: AttemptList,
		handler: async (request) => {
			const { denied_only: deniedOnly, limit, offset } = request.query;
			const rows = await listAttempts(deps.metadata, request.site.id, { deniedOnly, limit, offset });
			const of = { site_id: request.site.id };
			const denied = await attempts.count(deps.metadata, { ...of, access_granted: 0 });
			const total = deniedOnly ? denied : await attempts.count(deps.metadata, of);
			const shown = rows.map((row) => ({ ...presentRow(Attempt, row), account_id: row.site_id }));
			return { attempts: shown, total, denied_count: denied };
		},
	});
}

/** Checks an address against a site's list, without a user; a pattern is found also while the list is switched off. */
async function checkAddress(metadata: Metadata, siteId: string, ip: string): Promise<Static<typeof Check>> {
	const isEnabled = (await settingsOf(metadata, siteId)).is_enabled === 1;
	const active = await patterns.list(metadata, { site_id: siteId, is_active: 1 }, "id");
	const pattern = compileAddressList(active).find(ip);
	return {
		ip_address: ip,
		is_allowed: !isEnabled || pattern !== undefined,
		matched_pattern: pattern === undefined ? null : presentPattern(pattern),
		allowlist_enabled: isEnabled,
	};
}

const parsePattern = (body: Static<typeof CreatePatternBody>): PatternFields => {
	const { pattern, pattern_type, label = null, description = null, is_active } = body;
	return { pattern, pattern_type, label, description, is_active: Number(is_active) };
};

async function describeSettings(metadata: Metadata, row: SettingsRow): Promise<Static<typeof Settings>> {
	const active_patterns_count = await patterns.count(metadata, { site_id: row.site_id, is_active: 1 });
	return { ...presentRow(Settings, row), account_id: row.site_id, active_patterns_count };
}

const presentPattern = (row: PatternRow) => ({ ...presentRow(Pattern, row), account_id: row.site_id });
