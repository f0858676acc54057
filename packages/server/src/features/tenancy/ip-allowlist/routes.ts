import type { Static } from "typebox";
import { AccountQuery } from "../../../access/index.ts";
import { fieldError } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { ErrorRef } from "../../../platform/http/schemas.ts";
import { canonicalIp } from "../../../platform/lib/ip-address.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { compileAddressList } from "./address-list.ts";
import { changeSettings, type SettingsFields, settingsOf } from "./change-allowlist.ts";
import type { AllowlistDeps } from "./deps.ts";
import { changeOf, reading, writing } from "./guards.ts";
import { registerBulkRoutes, registerPatternRoutes } from "./pattern-routes.ts";
import { presentAttempt, presentPattern, presentSettings } from "./present.ts";
import { AttemptList, AttemptsQuery, Check, CheckBody, Settings, SettingsBody } from "./schemas.ts";
import { countAttempts, listAttempts, listPatterns } from "./store.ts";

const tags = ["IP allowlist"];
const shutsOut = { description: "`conflict`: the caller's own address would be locked out", ...ErrorRef };

/** Routes on the addresses from which a site may be opened. */
export function registerIpAllowlist(app: App, deps: AllowlistDeps): void {
	registerSettings(app, deps);
	registerPatternRoutes(app, deps);
	registerBulkRoutes(app, deps);
	registerChecks(app, deps);
	registerAttempts(app, deps);
}

function registerSettings(app: App, deps: AllowlistDeps): void {
	addRoute(app, "GET /ip-allowlist/settings", {
		tags,
		summary: "Settings of the IP allowlist",
		querystring: AccountQuery,
		guard: reading,
		data: Settings,
		handler: async (request) => {
			const row = await settingsOf(deps.metadata, request.site.id);
			return presentSettings(row, await listPatterns(deps.metadata, request.site.id));
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
			const row = await changeSettings(deps, changeOf(request), parseSettings(request.body));
			return presentSettings(row, await listPatterns(deps.metadata, request.site.id));
		},
	});
}

function registerChecks(app: App, deps: AllowlistDeps): void {
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
		handler: async (request) => {
			return checkAddress(deps.metadata, request.site.id, canonicalIp(request.ip) ?? request.ip);
		},
	});
}

/** Checks an address against a site's list, without a user; a pattern is found also while the list is switched off. */
async function checkAddress(metadata: Metadata, siteId: string, ip: string): Promise<Static<typeof Check>> {
	const isEnabled = (await settingsOf(metadata, siteId)).is_enabled === 1;
	const active = (await listPatterns(metadata, siteId)).filter((row) => row.is_active === 1);
	const pattern = compileAddressList(active).find(ip);
	return {
		ip_address: ip,
		is_allowed: !isEnabled || pattern !== undefined,
		matched_pattern: pattern === undefined ? null : presentPattern(pattern),
		allowlist_enabled: isEnabled,
	};
}

function registerAttempts(app: App, deps: AllowlistDeps): void {
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
			return { attempts: rows.map(presentAttempt), total, denied_count: denied };
		},
	});
}

function parseSettings(body: Static<typeof SettingsBody>): Partial<SettingsFields> {
	const { is_enabled, enforce_for_api_tokens, enforce_for_dashboard } = body;
	return {
		...(is_enabled !== undefined && { is_enabled: is_enabled ? 1 : 0 }),
		...(enforce_for_api_tokens !== undefined && { enforce_for_api_tokens: enforce_for_api_tokens ? 1 : 0 }),
		...(enforce_for_dashboard !== undefined && { enforce_for_dashboard: enforce_for_dashboard ? 1 : 0 }),
	};
}
