import type { Static } from "typebox";
import { AccountQuery, readingAccount } from "../../../../access/index.ts";
import { addRoute } from "../../../../platform/http/add-route.ts";
import type { App } from "../../../../platform/http/app.ts";
import { pageOf } from "../../../../platform/http/envelope.ts";
import type { LensDeps } from "../deps.ts";
import { rulesOf } from "../rules/rule-names.ts";
import { groupInsights } from "./group.ts";
import { insightOf, listInsights, pageOfInsights } from "./insights-store.ts";
import { presentInsight, readerOf } from "./present.ts";
import { GroupedQuery, GroupList, InsightList, InsightsQuery, Summary } from "./schemas.ts";

const tags = ["Insights"];
const reading = { tags, querystring: AccountQuery, guard: readingAccount("viewer") };

const choiceOf = (query: Static<typeof InsightsQuery>) => ({
	rules: query.insight_type && rulesOf(query.insight_type),
	severities: query.severity,
	isUnread: query.unread,
	withDismissed: query.include_dismissed,
});

export function registerInsights(app: App, deps: LensDeps): void {
	addRoute(app, "GET /lens/insights", {
		...reading,
		summary: "Insights of a site: the most severe first, then the newest",
		querystring: InsightsQuery,
		answer: InsightList,
		handler: async (request) => {
			const { page, page_size: pageSize } = request.query;
			const choice = { siteId: request.site.id, nowMs: deps.clock.now(), ...choiceOf(request.query) };
			const { rows, total } = await pageOfInsights(deps.metadata, choice, { page, pageSize });
			const reader = await readerOf(deps, request);
			const { data: insights, ...paging } = pageOf(
				rows.map((row) => presentInsight(insightOf(row), reader)),
				{ total, page, pageSize },
			);
			return { insights, ...paging };
		},
	});
	addRoute(app, "GET /lens/insights/summary", {
		...reading,
		summary: "Number of insights, without dismissed ones",
		answer: Summary,
		handler: async (request) => {
			const rows = await listInsights(deps.metadata, { siteId: request.site.id, nowMs: deps.clock.now() });
			const count = (severity: string) => rows.filter((row) => row.severity === severity).length;
			return {
				total_count: rows.length,
				unread_count: rows.filter((row) => row.read_at === null).length,
				red_count: count("red"),
				yellow_count: count("yellow"),
				green_count: count("green"),
				has_critical: rows.some((row) => row.severity === "red" && row.read_at === null),
			};
		},
	});
	addRoute(app, "GET /lens/insights/grouped", {
		...reading,
		summary: "Insights grouped by rule, type, or value",
		querystring: GroupedQuery,
		answer: GroupList,
		handler: async (request) => {
			const { group_by: by, include_dismissed: withDismissed } = request.query;
			const choice = { siteId: request.site.id, nowMs: deps.clock.now(), withDismissed };
			const insights = (await listInsights(deps.metadata, choice)).map(insightOf);
			const groups = groupInsights(insights, by, await readerOf(deps, request), request.site.name);
			return { groups, total_groups: groups.length };
		},
	});
}
