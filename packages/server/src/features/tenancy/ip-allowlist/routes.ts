import type { Static } from "typebox";
import { AccountQuery, readingAccount, writingAccount } from "../../../access/index.ts";
import { fieldError } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { presentRow } from "../../../platform/http/present-row.ts";
import { ErrorRef } from "../../../platform/http/schemas.ts";
import { canonicalIp } from "../../../platform/lib/ip-address.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { compileAddressList } from "./address-list.ts";
import { changeOf, changeSettings, settingsOf } from "./change-allowlist.ts";
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
import { attempts, listAttempts, type PatternFields, type PatternRow, patterns, type SettingsRow } from "./store.ts";

const tags = ["IP allowlist"];
const reading = { tags, querystring: AccountQuery, guard: readingAccount("admin") };
const writing = { tags, querystring: AccountQuery, guard: writingAccount("admin") };
const shutsOut = { description: "`conflict`: the caller's own address would be locked out", ...ErrorRef };

/** Routes on the addresses from which a site may be opened. */
export function registerIpAllowlist(app: App, deps: AllowlistDeps): void {
	addRoute(app, "GET /ip-allowlist/settings", {
		...reading,
		summary: "Settings of the IP allowlist",
		data: Settings,
		handler: async (request) => {
			return describeSettings(deps.metadata, await settingsOf(deps.metadata, request.site.id));
		},
	});
	addRoute(app, "PUT /ip-allowlist/settings", {
		...writing,
		summary: "Enable or disable the IP allowlist",
		body: SettingsBody,
		data: Settings,
		errors: { 409: shutsOut },
		handler: async (request) => {
			return describeSettings(deps.metadata, await changeSettings(deps, changeOf(request), request.body));
		},
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
		errors: { 409: tooMany },
		handler: async (request) => presentPattern(await addPattern(deps, changeOf(request), parsePattern(request.body))),
	});
	addRoute(app, "PATCH /ip-allowlist/patterns/:id", {
		...writing,
		summary: "Change a pattern of the IP allowlist",
		params: PatternParams,
		body: ChangePatternBody,
		data: Pattern,
		errors: { 409: clash },
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
		errors: { 409: shutsOut },
		handler: (request) => removePattern(deps, changeOf(request), request.params.id),
	});
	addRoute(app, "POST /ip-allowlist/patterns/bulk", {
		...writing,
		summary: "Add many patterns to the IP allowlist",
		body: BulkBody,
		status: 201,
		data: Bulk,
		handler: async (request) =>
			presentBulk(await addPatterns(deps, changeOf(request), request.body.patterns.map(parsePattern))),
	});
	addRoute(app, "POST /ip-allowlist/patterns/bulk-delete", {
		...writing,
		summary: "Remove many patterns from the IP allowlist",
		body: BulkDeleteBody,
		guard: { ...writing.guard, impersonation: "refused" },
		data: Bulk,
		errors: { 409: shutsOut },
		handler: async (request) => presentBulk(await removePatterns(deps, changeOf(request), request.body.pattern_ids)),
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
		handler: async (request) => presentBulk(await importPatterns(deps, changeOf(request), request.body)),
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

async function describeSettings(metadata: Metadata, row: SettingsRow): Promise<Static<typeof Settings>> {
	const active_patterns_count = await patterns.count(metadata, { site_id: row.site_id, is_active: 1 });
	return { ...presentRow(Settings, row), account_id: row.site_id, active_patterns_count };
}

const presentPattern = (row: PatternRow) => ({ ...presentRow(Pattern, row), account_id: row.site_id });

const presentBulk = ({ successCount, errors }: BulkResult) => ({
	success_count: successCount,
	error_count: errors.length,
	errors: [...errors],
});
