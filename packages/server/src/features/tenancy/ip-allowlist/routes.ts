import { AccountQuery } from "../../../access/index.ts";
import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { ErrorRef, Success } from "../../../platform/http/schemas.ts";
import { canonicalIp } from "../../../platform/lib/ip-address.ts";
import { countAttempts, listAttempts } from "./attempts-store.ts";
import { registerBulkRoutes } from "./bulk-routes.ts";
import { checkAddress, readAddress } from "./check-address.ts";
import type { AllowlistDeps } from "./deps.ts";
import { changeOf, reading, writing } from "./guards.ts";
import { parseSettings } from "./parse.ts";
import { registerPatternRoutes } from "./pattern-routes.ts";
import { presentAttempt, presentCheck, presentSettings } from "./present.ts";
import { AttemptList, AttemptsQuery, Check, CheckBody, Settings, SettingsBody } from "./schemas.ts";
import { changeSettings, settingsOf } from "./settings.ts";
import { listPatterns } from "./store.ts";

const tags = ["IP allowlist"];
const shutsOut = { description: "`conflict`: the caller's own address would be shut out", ...ErrorRef };

/** Routes on the addresses from which a site may be opened. */
export function registerIpAllowlist(app: App, deps: AllowlistDeps): void {
	registerSettings(app, deps);
	registerPatternRoutes(app, deps);
	registerBulkRoutes(app, deps);
	registerChecks(app, deps);
	registerAttempts(app, deps);
}

function registerSettings(app: App, deps: AllowlistDeps): void {
	app.route({
		method: "GET",
		url: "/ip-allowlist/settings",
		schema: {
			tags,
			summary: "Settings of the IP allowlist",
			querystring: AccountQuery,
			response: { 200: Success(Settings) },
		},
		config: { guard: reading },
		handler: async (request) => {
			const row = await settingsOf(deps.metadata, request.site.id);
			return success(presentSettings(row, await listPatterns(deps.metadata, request.site.id)));
		},
	});
	app.route({
		method: "PUT",
		url: "/ip-allowlist/settings",
		schema: {
			tags,
			summary: "Switch the IP allowlist on or off",
			querystring: AccountQuery,
			body: SettingsBody,
			response: { 200: Success(Settings), 409: shutsOut },
		},
		config: { guard: writing },
		handler: async (request) => {
			const row = await changeSettings(deps, changeOf(request), parseSettings(request.body));
			return success(presentSettings(row, await listPatterns(deps.metadata, request.site.id)));
		},
	});
}

function registerChecks(app: App, deps: AllowlistDeps): void {
	app.route({
		method: "POST",
		url: "/ip-allowlist/check",
		schema: {
			tags,
			summary: "What the IP allowlist says to an address",
			querystring: AccountQuery,
			body: CheckBody,
			response: { 200: Success(Check) },
		},
		config: { guard: reading },
		handler: async (request) => {
			const ip = readAddress(request.body.ip_address);
			return success(presentCheck(await checkAddress(deps.metadata, request.site.id, ip)));
		},
	});
	app.route({
		method: "GET",
		url: "/ip-allowlist/check-current",
		schema: {
			tags,
			summary: "What the IP allowlist says to the caller's address",
			querystring: AccountQuery,
			response: { 200: Success(Check) },
		},
		config: { guard: reading },
		handler: async (request) => {
			const ip = canonicalIp(request.ip) ?? request.ip;
			return success(presentCheck(await checkAddress(deps.metadata, request.site.id, ip)));
		},
	});
}

function registerAttempts(app: App, deps: AllowlistDeps): void {
	app.route({
		method: "GET",
		url: "/ip-allowlist/audit",
		schema: {
			tags,
			summary: "Who came to the site from which address, newest first",
			querystring: AttemptsQuery,
			response: { 200: Success(AttemptList) },
		},
		config: { guard: reading },
		handler: async (request) => {
			const { denied_only: deniedOnly, limit, offset } = request.query;
			const rows = await listAttempts(deps.metadata, request.site.id, { deniedOnly, limit, offset });
			const { granted, denied } = await countAttempts(deps.metadata, request.site.id);
			const total = deniedOnly ? denied : granted + denied;
			return success({ attempts: rows.map(presentAttempt), total, denied_count: denied });
		},
	});
}
