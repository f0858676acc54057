import { ServiceError } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { ErrorRef } from "../../../platform/http/schemas.ts";
import { actorOf } from "../../auditing/audit-log/index.ts";
import type { AttributionChangeDeps } from "../attribution-settings/index.ts";
import { changeRule, createRule, removeRule } from "./change-rules.ts";
import type { ChannelStatsDeps } from "./channel-stats.ts";
import { reading, writing } from "./guards.ts";
import { presentRule, presentRules } from "./present.ts";
import { defaultRule, defaultRules, ownRule } from "./rule.ts";
import { toChanges, toFields } from "./rule-input.ts";
import {
	AccountQuery,
	ChangeRuleBody,
	CreateRuleBody,
	ListQuery,
	Rule,
	RuleList,
	RuleParams,
	WriteQuery,
} from "./schemas.ts";
import { findRule, listRules } from "./store.ts";
import { registerTransfer } from "./transfer-routes.ts";
import { registerUse } from "./use-routes.ts";

const tags = ["Channel groups"];

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
		handler: async (request) => {
			const { include_inactive: includeInactive, include_defaults: withDefaults } = request.query;
			const own = await listRules(deps.metadata, request.site.id, { includeInactive });
			return presentRules(own.map(ownRule), withDefaults ? defaultRules : []);
		},
	});
	addRoute(app, "GET /channel-groups/:rule_id", {
		tags,
		summary: "One channel rule",
		params: RuleParams,
		querystring: AccountQuery,
		guard: reading,
		data: Rule,
		handler: async (request) => {
			const { rule_id: id } = request.params;
			const row = await findRule(deps.metadata, request.site.id, id);
			const rule = row === undefined ? defaultRule(id) : ownRule(row);
			if (rule === undefined) throw new ServiceError("not_found", { message: "Channel rule not found" });
			return presentRule(rule);
		},
	});
}

const tooMany = { description: "`conflict`: the site has 100 rules of its own", ...ErrorRef };
const isLive = { description: "`rule_is_live`", ...ErrorRef };

function registerWrites(app: App, deps: AttributionChangeDeps): void {
	addRoute(app, "POST /channel-groups", {
		tags,
		summary: "Add a channel rule",
		querystring: AccountQuery,
		body: CreateRuleBody,
		guard: writing,
		status: 201,
		data: Rule,
		errors: { 409: tooMany },
		handler: async (request) => {
			const change = { siteId: request.site.id, actor: actorOf(request) };
			const rule = await createRule(deps, change, toFields(request.body));
			return presentRule(rule);
		},
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
		handler: async (request) => {
			const { only_if_inactive: onlyDrafts } = request.query;
			const target = { siteId: request.site.id, actor: actorOf(request), id: request.params.rule_id, onlyDrafts };
			return presentRule(await changeRule(deps, target, toChanges(request.body)));
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
		handler: async (request) => {
			const { only_if_inactive: onlyDrafts } = request.query;
			await removeRule(deps, {
				siteId: request.site.id,
				actor: actorOf(request),
				id: request.params.rule_id,
				onlyDrafts,
			});
		},
	});
}
