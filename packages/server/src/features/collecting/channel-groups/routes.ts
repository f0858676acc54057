import type { FastifyRequest } from "fastify";
import type { Static } from "typebox";
import { type Guard, writingAccount } from "../../../access/index.ts";
import { metricNames } from "../../../analytics/catalog/metrics.ts";
import { rates } from "../../../analytics/catalog/rates.ts";
import { runPage } from "../../../analytics/query/engine/run.ts";
import { placed } from "../../../analytics/query/question/bad-question.ts";
import { dimensionFilter } from "../../../analytics/query/question/dimension-filter.ts";
import type { ReportRow } from "../../../analytics/query/question/report-query.ts";
import { resolveRange } from "../../../analytics/query/question/resolve-range.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { ErrorRef, Success } from "../../../platform/http/schemas.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import { siteChangeOf } from "../../tenancy/organizations/index.ts";
import type { AttributionChangeDeps } from "../attribution-settings/index.ts";
import { changeRule, createRule, removeRule } from "./change-rules.ts";
import { importRules, tryImport } from "./import-rules.ts";
import { askRules, defaultRule, defaultRules, ownRule, toChanges, toFields } from "./rule.ts";
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
import { channelRules, listRules } from "./store.ts";

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
const writing = writingAccount("editor");

const isLive = { description: "`rule_is_live`", ...ErrorRef };

const targetOf = (
	request: Pick<FastifyRequest, "site" | "caller" | "ip"> & {
		readonly params: Static<typeof RuleParams>;
		readonly query: Static<typeof WriteQuery>;
	},
) => ({ ...siteChangeOf(request), id: request.params.rule_id, onlyDrafts: request.query.only_if_inactive });

/** Routes on the rules that give visits their channel. */
export function registerChannelGroups(
	app: App,
	deps: AttributionChangeDeps & { readonly eventStore: EventStore },
): void {
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
			const row = await channelRules.find(deps.metadata, { site_id: site.id, id });
			const rule = row === undefined ? defaultRule(id) : ownRule(row);
			if (rule === undefined) throw new ServiceError("not_found", "Channel rule not found");
			return rule;
		},
	});
	addRoute(app, "POST /channel-groups", {
		tags,
		summary: "Add a channel rule",
		querystring: AccountQuery,
		body: CreateRuleBody,
		guard: writing,
		status: 201,
		data: Rule,
		errors: { 409: { description: "`conflict`: the site has 100 rules of its own", ...ErrorRef } },
		handler: (request) => createRule(deps, siteChangeOf(request), toFields(request.body)),
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
		handler: (request) => changeRule(deps, targetOf(request), toChanges(request.body)),
	});
	addRoute(app, "DELETE /channel-groups/:rule_id", {
		tags,
		summary: "Remove a channel rule",
		params: RuleParams,
		querystring: WriteQuery,
		guard: writing,
		empty: "Removed",
		errors: { 409: isLive },
		handler: (request) => removeRule(deps, targetOf(request)),
	});
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
			return success(await importRules(deps, siteChangeOf(request), input));
		},
	});
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

/** The channels of a site by entrances. 400 and 422 as the dates and the countries say. */
async function channelStats(
	deps: { readonly eventStore: EventStore; readonly clock: Clock },
	site: { readonly id: string; readonly timezone: string },
	request: Static<typeof ChannelStatsQuery>,
): Promise<Static<typeof ChannelStats>> {
	const { country, page, page_size: pageSize } = request;
	const { rows, totalRows } = await runPage(
		deps,
		{
			site: site.id,
			range: placed("query", () => resolveRange(request, { timezone: site.timezone, clock: deps.clock })),
			dimensions: ["channel_group"],
			metrics: metricNames,
			conditions:
				country === undefined ? [] : [placed("query.country", () => dimensionFilter("country", "in", country))],
		},
		{
			order: [{ by: "entrances", direction: "desc" }],
			limit: pageSize,
			offset: (page - 1) * pageSize,
			totals: [],
		},
	);
	return { channels: rows.map(presentChannel), total: totalRows };
}

const presentChannel = (row: ReportRow) => ({
	channel: String(row.channel_group ?? ""),
	entrances: row.entrances,
	engaged_entrances: row.engaged_entrances,
	bounces: row.entrances - row.engaged_entrances,
	bounce_rate: rates.bounce_rate.of(row),
	page_views: row.page_views,
	microconversions: row.microconversions,
	conversions: row.conversions,
	conversion_rate: rates.conversion_rate.of(row),
	revenue: row.revenue,
});
