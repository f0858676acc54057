import type { Guard } from "../../../access/index.ts";
import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { listReport, type StatsDeps } from "./list-report.ts";
import { overview } from "./overview.ts";
import { listReports } from "./reports.ts";
import { BadDates, ListAnswer, ListQuery, OverviewAnswer, OverviewQuery } from "./schemas.ts";

const guard: Guard = { kind: "site", siteFrom: "query", keyScope: "stats:read", role: "viewer", write: false };

/** Registers the routes of `/stats/*`. */
export function registerStats(app: App, deps: StatsDeps): void {
	app.route({
		method: "GET",
		url: "/stats/overview",
		config: { guard },
		schema: {
			tags: ["Stats"],
			summary: "Headline figures of a site",
			querystring: OverviewQuery,
			response: { 200: OverviewAnswer, 400: BadDates },
		},
		handler: async (request) => success(await overview(deps, request.site, request.query)),
	});
	for (const report of listReports) {
		app.route({
			method: "GET",
			url: report.url,
			config: { guard },
			schema: {
				tags: ["Stats"],
				summary: report.summary,
				querystring: ListQuery(report),
				response: { 200: ListAnswer(report), 400: BadDates },
			},
			handler: async (request) => listReport(deps, report, request.site, request.query as ListQuery),
		});
	}
}
