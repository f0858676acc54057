import type { Guard } from "../../../access/index.ts";
import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { ErrorRef } from "../../../platform/http/schemas.ts";
import { aggregateDeviceList, aggregateList } from "./aggregate-list.ts";
import { aggregateOverview } from "./aggregate-overview.ts";
import { aggregateReports } from "./aggregate-reports.ts";
import {
	AggregateDevicesAnswer,
	AggregateListAnswer,
	AggregateListQuery,
	AggregateOverviewAnswer,
	AggregateOverviewQuery,
	AggregateQuery,
} from "./aggregate-schemas.ts";
import type { AggregateDeps } from "./aggregate-sites.ts";
import { BadDates } from "./list-schemas.ts";

const guard: Guard = { kind: "session", scope: "read", superadmin: true };
const UnknownSite = { description: "`account_not_found`, `not_found`", ...ErrorRef };
const errors = { 400: BadDates, 404: UnknownSite };

/** Registers the routes of `/stats/aggregate/*`: reports over several sites, for superadmins. */
export function registerAggregateStats(app: App, deps: AggregateDeps): void {
	app.route({
		method: "GET",
		url: "/stats/aggregate/overview",
		config: { guard },
		schema: {
			tags: ["Stats"],
			summary: "Headline figures of several sites",
			querystring: AggregateOverviewQuery,
			response: { 200: AggregateOverviewAnswer, ...errors },
		},
		handler: async (request) => {
			await request.refuseShutSites(request.query.account_ids);
			return aggregateOverview(deps, request.query);
		},
	});
	app.route({
		method: "GET",
		url: "/stats/aggregate/devices",
		config: { guard },
		schema: {
			tags: ["Stats"],
			summary: "Traffic by device type, over several sites",
			querystring: AggregateQuery,
			response: { 200: AggregateDevicesAnswer, ...errors },
		},
		handler: async (request) => {
			await request.refuseShutSites(request.query.account_ids);
			return success(await aggregateDeviceList(deps, request.query));
		},
	});
	for (const report of aggregateReports) {
		app.route({
			method: "GET",
			url: report.url,
			config: { guard },
			schema: {
				tags: ["Stats"],
				summary: report.summary,
				querystring: AggregateListQuery(report),
				response: { 200: AggregateListAnswer(report), ...errors },
			},
			handler: async (request) => {
				const query = request.query as AggregateListQuery;
				await request.refuseShutSites(query.account_ids);
				return aggregateList(deps, report, query);
			},
		});
	}
}
