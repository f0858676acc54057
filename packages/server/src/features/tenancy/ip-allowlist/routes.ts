import type { Static } from "typebox";
import { AccountQuery } from "../../../access/index.ts";
import { fieldError } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { presentRow } from "../../../platform/http/present-row.ts";
import { ErrorRef } from "../../../platform/http/schemas.ts";
import { canonicalIp } from "../../../platform/lib/ip-address.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { compileAddressList } from "./address-list.ts";
import { changeOf, changeSettings, reading, settingsOf, writing } from "./change-allowlist.ts";
import {
	addPattern,
	addPatterns,
	type BulkResult,
	changePattern,
	exportText,
	importPatterns,
	patternNotFound,
	removePattern,
	removePatterns,
} from "./change-patterns.ts";
import type { AllowlistDeps } from "./open-ip-allowlists.ts";
import {
	Attempt,
	AttemptList,
	AttemptsQuery,
	Bulk,
	BulkBody,
	BulkDeleteBody,
	ChangePatternBody,
	Check,
	CheckBody,
	CreatePatternBody,
	Export,
	ImportBody,
	ListQuery,
	Pattern,
	PatternList,
	PatternParams,
	Settings,
	SettingsBody,
} from "./schemas.ts";
import {
	countAttempts,
	listAttempts,
	type PatternFields,
	type PatternRow,
	patterns,
	type SettingsRow,
} from "./store.ts";

const tags = ["IP allowlist"];
const shutsOut = { description: "`conflict`: the caller's own address would be locked out", ...ErrorRef };

/** Routes on the addresses from which a site may be opened. */
export function registerIpAllowlist(app: App, deps: AllowlistDeps): void {
	addRoute(app, "GET /ip-allowlist/settings", {
		tags,
		summary: "Settings of the IP allowlist",
		querystring: AccountQuery,
		guard: reading,
		data: Settings,
		handler: async (request) => {
			return describeSettings(deps.metadata, await settingsOf(deps.metadata, request.site.id));
		},
	});
	addRoute(app, "PUT /ip-allowlist/settings", {
		tags,
		summary: "Enable or disable the IP allowlist",
		querystring: AccountQuery,
		body: SettingsBody,
		guard: writing,
		data: Settings,
		errors: { 409: shutsOut },
		handler: async (request) => {
			return describeSettings(deps.metadata, await changeSettings(deps, changeOf(request), request.body));
		},
	});
	addRoute(app, "GET /ip-allowlist/patterns", {
		tags,
		summary: "Patterns of the IP allowlist",
		querystring: ListQuery,
		guard: reading,
		data: PatternList,
		handler: async (request) => {
			const rows = await patterns.list(deps.metadata, request.site.id);
			const active = rows.filter((row) => row.is_active === 1);
			const listed = (request.query.include_inactive ? rows : active).map(presentPattern);
			return { patterns: listed, total: listed.length, active_count: active.length };
		},
	});
	addRoute(app, "GET /ip-allowlist/patterns/:id", {
		tags,
		summary: "One pattern of the IP allowlist",
		params: PatternParams,
		querystring: AccountQuery,
		guard: reading,
		data: Pattern,
		handler: async (request) => {
			const row = await patterns.find(deps.metadata, request.site.id, request.params.id);
			if (row === undefined) throw patternNotFound();
			return presentPattern(row);
		},
	});
	addRoute(app, "POST /ip-allowlist/patterns", {
		tags,
		summary: "Add a pattern to the IP allowlist",
		querystring: AccountQuery,
		body: CreatePatternBody,
		guard: writing,
		status: 201,
		data: Pattern,
		errors: { 409: tooMany },
		handler: async (request) => presentPattern(await addPattern(deps, changeOf(request), parsePattern(request.body))),
	});
	addRoute(app, "PATCH /ip-allowlist/patterns/:id", {
		tags,
		summary: "Change a pattern of the IP allowlist",
		params: PatternParams,
		querystring: AccountQuery,
		body: ChangePatternBody,
		guard: writing,
		data: Pattern,
		errors: { 409: clash },
		handler: async (request) =>
			presentPattern(await changePattern(deps, changeOf(request), request.params.id, parseChanges(request.body))),
	});
	addRoute(app, "DELETE /ip-allowlist/patterns/:id", {
		tags,
		summary: "Remove a pattern of the IP allowlist",
		params: PatternParams,
		querystring: AccountQuery,
		guard: writing,
		empty: "Removed",
		errors: { 409: shutsOut },
		handler: (request) => removePattern(deps, changeOf(request), request.params.id),
	});
	addRoute(app, "POST /ip-allowlist/patterns/bulk", {
		tags,
		summary: "Add many patterns to the IP allowlist",
		querystring: AccountQuery,
		body: BulkBody,
		guard: writing,
		status: 201,
		data: Bulk,
		handler: async (request) =>
			presentBulk(await addPatterns(deps, changeOf(request), request.body.patterns.map(parsePattern))),
	});
	addRoute(app, "POST /ip-allowlist/patterns/bulk-delete", {
		tags,
		summary: "Remove many patterns from the IP allowlist",
		querystring: AccountQuery,
		body: BulkDeleteBody,
		guard: { ...writing, impersonation: "refused" },
		data: Bulk,
		errors: { 409: shutsOut },
		handler: async (request) => presentBulk(await removePatterns(deps, changeOf(request), request.body.pattern_ids)),
	});
	addRoute(app, "GET /ip-allowlist/export", {
		tags,
		summary: "Export the patterns as text, one per line",
		querystring: ListQuery,
		guard: reading,
		data: Export,
		handler: async (request) => {
			const rows = await patterns.list(deps.metadata, request.site.id);
			const listed = request.query.include_inactive ? rows : rows.filter((row) => row.is_active === 1);
			return { text: exportText(listed), count: listed.length };
		},
	});
	addRoute(app, "POST /ip-allowlist/import", {
		tags,
		summary: "Import patterns from text",
		querystring: AccountQuery,
		body: ImportBody,
		guard: writing,
		data: Bulk,
		handler: async (request) => {
			const { text, default_pattern_type: defaultType, label_prefix: prefix, skip_duplicates } = request.body;
			const input = { text, defaultType, labelPrefix: prefix ?? null, skipDuplicates: skip_duplicates };
			return presentBulk(await importPatterns(deps, changeOf(request), input));
		},
	});
	addRoute(app, "POST /ip-allowlist/check", {
		tags,
		summary: "Check an address against the IP allowlist",
		querystring: AccountQuery,
		body: CheckBody,
		guard: reading,
		data: Check,
		handler: async (request) => {
			const ip = canonicalIp(request.body.ip_address);
			if (ip === undefined) throw fieldError("body.ip_address", "Must be an IPv4 or IPv6 address", "ip_address");
			return checkAddress(deps.metadata, request.site.id, ip);
		},
	});
	addRoute(app, "GET /ip-allowlist/check-current", {
		tags,
		summary: "Check the caller's address against the IP allowlist",
		querystring: AccountQuery,
		guard: reading,
		data: Check,
		handler: (request) => checkAddress(deps.metadata, request.site.id, canonicalIp(request.ip) ?? request.ip),
	});
	addRoute(app, "GET /ip-allowlist/audit", {
		tags,
		summary: "Access log of a site with addresses, newest first",
		querystring: AttemptsQuery,
		guard: reading,
		data: AttemptList,
		handler: async (request) => {
			const { denied_only: deniedOnly, limit, offset } = request.query;
			const rows = await listAttempts(deps.metadata, request.site.id, { deniedOnly, limit, offset });
			const { granted, denied } = await countAttempts(deps.metadata, request.site.id);
			const total = deniedOnly ? denied : granted + denied;
			const attempts = rows.map((row) => ({ ...presentRow(Attempt, row), account_id: row.site_id }));
			return { attempts, total, denied_count: denied };
		},
	});
}

/** Checks an address against a site's list, without a user; a pattern is found also while the list is switched off. */
async function checkAddress(metadata: Metadata, siteId: string, ip: string): Promise<Static<typeof Check>> {
	const isEnabled = (await settingsOf(metadata, siteId)).is_enabled === 1;
	const active = (await patterns.list(metadata, siteId)).filter((row) => row.is_active === 1);
	const pattern = compileAddressList(active).find(ip);
	return {
		ip_address: ip,
		is_allowed: !isEnabled || pattern !== undefined,
		matched_pattern: pattern === undefined ? null : presentPattern(pattern),
		allowlist_enabled: isEnabled,
	};
}

const tooMany = {
	description: "`duplicate_entry`, or `conflict`: the site has 1,000 patterns or 100 expressions already",
	...ErrorRef,
};
const clash = {
	description: "`duplicate_entry`, or `conflict`: the caller's own address would be locked out",
	...ErrorRef,
};

const parsePattern = (body: Static<typeof CreatePatternBody>): PatternFields => ({
	pattern: body.pattern,
	pattern_type: body.pattern_type,
	label: body.label ?? null,
	description: body.description ?? null,
	is_active: body.is_active ? 1 : 0,
});

/** The columns to change. Bodies may have unknown fields, so the known ones are picked by name. */
function parseChanges(body: Static<typeof ChangePatternBody>): Partial<PatternFields> {
	const { pattern, pattern_type, label, description, is_active } = body;
	return {
		...(pattern !== undefined && { pattern }),
		...(pattern_type !== undefined && { pattern_type }),
		...(label !== undefined && { label }),
		...(description !== undefined && { description }),
		...(is_active !== undefined && { is_active: is_active ? 1 : 0 }),
	};
}

async function describeSettings(metadata: Metadata, row: SettingsRow): Promise<Static<typeof Settings>> {
	const all = await patterns.list(metadata, row.site_id);
	const active_patterns_count = all.filter((pattern) => pattern.is_active === 1).length;
	return { ...presentRow(Settings, row), account_id: row.site_id, active_patterns_count };
}

const presentPattern = (row: PatternRow) => ({ ...presentRow(Pattern, row), account_id: row.site_id });

const presentBulk = ({ successCount, errors }: BulkResult) => ({
	success_count: successCount,
	error_count: errors.length,
	errors: [...errors],
});
