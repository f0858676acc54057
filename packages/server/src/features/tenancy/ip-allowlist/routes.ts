import { AccountQuery } from "../../../access/index.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { ErrorRef } from "../../../platform/http/schemas.ts";
import { canonicalIp } from "../../../platform/lib/ip-address.ts";
import type { AllowlistDeps } from "./deps.ts";
import { changeOf, reading, writing } from "./guards.ts";
import { parseSettings } from "./parse.ts";
import { registerBulkRoutes, registerPatternRoutes } from "./pattern-routes.ts";
import { checkAddress, presentAttempt, presentCheck, presentSettings, readAddress } from "./present.ts";
import { AttemptList, AttemptsQuery, Check, CheckBody, Settings, SettingsBody } from "./schemas.ts";
import { changeSettings, settingsOf } from "./settings.ts";
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
			const ip = readAddress(request.body.ip_address);
			return presentCheck(await checkAddress(deps.metadata, request.site.id, ip));
		},
	});
	addRoute(app, "GET /ip-allowlist/check-current", {
		tags,
		summary: "Check the caller's address against the IP allowlist",
		querystring: AccountQuery,
		guard: reading,
		data: Check,
		handler: async (request) => {
			const ip = canonicalIp(request.ip) ?? request.ip;
			return presentCheck(await checkAddress(deps.metadata, request.site.id, ip));
		},
	});
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
