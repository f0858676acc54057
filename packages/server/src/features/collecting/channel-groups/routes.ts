import type { FastifyRequest } from "fastify";
import { type Guard, writingAccount } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { ErrorRef, Success } from "../../../platform/http/schemas.ts";
import { actorOf } from "../../auditing/audit-log/index.ts";
import type { AttributionChange, AttributionChangeDeps } from "../attribution-settings/index.ts";
import { askRules } from "./ask-rules.ts";
import { changeRule, createRule, removeRule } from "./change-rules.ts";
import { type ChannelStatsDeps, channelStats } from "./channel-stats.ts";
import { importRules, tryImport } from "./import-rules.ts";
import { defaultRule, defaultRules, ownRule, toChanges, toFields } from "./rule.ts";
import {
	AccountQuery,
	ChangeRuleBody,
	ChannelStats,
	ChannelStatsQuery,
	CreateRuleBody,
	ImportAnswer,
	ImportBody,
	ImportQuery,
	ListQuery,
	Rule,
	RuleExport,
	RuleList,
	RuleParams,
	TestAnswer,
	TestBody,
	WriteQuery,
} from "./schemas.ts";
import { findRule, listRules } from "./store.ts";

const tags = ["Channel groups"];
const IMPORT_BYTES = 256 * 1024;

const reading = {
	kind: "site",
	siteFrom: "account",
	keyScope: "sites:read",
	oauth: "admitted",
	role: "viewer",
	write: false,
} as const satisfies Guard;
/** Figures: a key for reports opens them too. */
const readingFigures = { ...reading, keyScope: ["sites:read", "stats:read"] } satisfies Guard;
/** Writes: a session whose user is an editor of the site. */
const writing = writingAccount("editor");

const isLive = { description: "`rule_is_live`", ...ErrorRef };

const changeBy = (request: Pick<FastifyRequest, "site" | "caller" | "ip">): AttributionChange => ({
	siteId: request.site.id,
	actor: actorOf(request),
});

/** Routes on the rules that give visits their channel. */
export function registerChannelGroups(app: App, deps: AttributionChangeDeps & ChannelStatsDeps): void {
	registerReads(app, deps);
	registerWrites(app, deps);
	registerTransfer(app, deps);
	registerUse(app, deps);
}

function registerReads(app: App, deps: AttributionChangeDeps): void {
	addRoute(app, "GET /channel-groups", {
		tags,
		summary: "Channel rules of a site",
		querystring: ListQuery,
		guard: reading,
		data: RuleList,
		handler: async ({ site, query }) => {
			const own = await listRules(deps.metadata, site.id, { includeInactive: query.include_inactive });
			const defaults = query.include_defaults ? defaultRules : [];
			return {
				rules: [...own.map(ownRule), ...defaults],
				total: own.length + defaults.length,
				default_count: defaults.length,
				custom_count: own.length,
			};
		},
	});
	addRoute(app, "GET /channel-groups/:rule_id", {
		tags,
		summary: "One channel rule",
		params: RuleParams,
		querystring: AccountQuery,
		guard: reading,
		data: Rule,
		handler: async ({ site, params: { rule_id: id } }) => {
			const row = await findRule(deps.metadata, site.id, id);
			const rule = row === undefined ? defaultRule(id) : ownRule(row);
			if (rule === undefined) throw new ServiceError("not_found", { message: "Channel rule not found" });
			return rule;
		},
	});
}

function registerWrites(app: App, deps: AttributionChangeDeps): void {
	addRoute(app, "POST /channel-groups", {
		tags,
		summary: "Add a channel rule",
		querystring: AccountQuery,
		body: CreateRuleBody,
		guard: writing,
		status: 201,
		data: Rule,
		errors: { 409: { description: "`conflict`: the site has 100 rules of its own", ...ErrorRef } },
		handler: (request) => createRule(deps, changeBy(request), toFields(request.body)),
	});
	addRoute(app, "PATCH /channel-groups/:rule_id", {
		tags,
		summary: "Change a channel rule",
		params: RuleParams,
		querystring: WriteQuery,
		body: ChangeRuleBody,
		guard: writing,
		data: Rule,
		errors: { 409: isLive },
		handler: (request) => {
			const { params, query, body } = request;
			const target = { ...changeBy(request), id: params.rule_id, onlyDrafts: query.only_if_inactive };
			return changeRule(deps, target, toChanges(body));
		},
	});
	addRoute(app, "DELETE /channel-groups/:rule_id", {
		tags,
		summary: "Remove a channel rule",
		params: RuleParams,
		querystring: WriteQuery,
		guard: writing,
		empty: "Removed",
		errors: { 409: isLive },
		handler: (request) => {
			const { params, query } = request;
			return removeRule(deps, { ...changeBy(request), id: params.rule_id, onlyDrafts: query.only_if_inactive });
		},
	});
}

function registerTransfer(app: App, deps: AttributionChangeDeps): void {
	addRoute(app, "GET /channel-groups/export", {
		tags,
		summary: "Export all channel rules of a site",
		querystring: AccountQuery,
		guard: reading,
		data: RuleExport,
		handler: async ({ site }) => {
			const own = await listRules(deps.metadata, site.id, { includeInactive: true });
			return { version: 1 as const, rules: own.map(ownRule), default_rules: [...defaultRules] };
		},
	});
	app.route({
		method: "POST",
		url: "/channel-groups/import",
		bodyLimit: IMPORT_BYTES,
		schema: {
			tags,
			summary: "Import channel rules, replacing those of the site",
			querystring: ImportQuery,
			body: ImportBody,
			response: {
				200: Success(ImportAnswer),
				409: { description: "`conflict`: more than 100 rules of its own", ...ErrorRef },
			},
		},
		config: { guard: writing },
		handler: async (request) => {
			const { dry_run: isTrial, scope } = request.query;
			const input = { rows: request.body.rules, scope };
			if (isTrial) return success(await tryImport(deps, request.site.id, input));
			return success(await importRules(deps, changeBy(request), input));
		},
	});
}

function registerUse(app: App, deps: AttributionChangeDeps & ChannelStatsDeps): void {
	addRoute(app, "POST /channel-groups/test", {
		tags,
		summary: "Test the channel of a visit",
		querystring: AccountQuery,
		body: TestBody,
		guard: reading,
		data: TestAnswer,
		handler: ({ site, body }) => askRules(deps, site.id, body),
	});
	addRoute(app, "GET /channel-groups/stats/channels", {
		tags,
		summary: "Traffic by channel",
		querystring: ChannelStatsQuery,
		guard: readingFigures,
		data: ChannelStats,
		errors: { 400: { description: "`bad_request`", ...ErrorRef } },
		handler: ({ site, query }) => channelStats(deps, site, query),
	});
}
