import type { Guard } from "../../../access/index.ts";
import { metricsFor } from "../../../analytics/catalog/rates.ts";
import { addDecimals } from "../../../analytics/query/engine/series.ts";
import { readingOf } from "../../../analytics/query/question/reading.ts";
import { type AcrossQuery, runAcross, runAcrossPage } from "../../../analytics/query/reports/across-sites.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { pageOf, success } from "../../../platform/http/envelope.ts";
import { ErrorRef } from "../../../platform/http/schemas.ts";
import { AggregateOverviewAnswer, AggregateOverviewQuery, aggregateOverview } from "./aggregate-overview.ts";
import {
	type AggregateDeps,
	AggregateDevicesAnswer,
	AggregateListAnswer,
	AggregateListQuery,
	AggregateQuery,
	type AggregateReport,
	aggregateDevices,
	aggregateReports,
	aggregateSites,
} from "./aggregate-reports.ts";
import { BadDates } from "./guard.ts";
import { parseRequest } from "./parse.ts";
import { presentRow } from "./present.ts";
import { figureNamed, type RowShape } from "./reports.ts";

const guard: Guard = { kind: "session", scope: "read", superadmin: true };
const UnknownSite = { description: "`account_not_found`, `not_found`", ...ErrorRef };
const errors = { 400: BadDates, 404: UnknownSite };

/** Registers the routes of `/stats/aggregate/*`: reports over several sites, for superadmins. */
export function registerAggregateStats(app: App, deps: AggregateDeps): void {
	addRoute(app, "GET /stats/aggregate/overview", {
		tags: ["Stats"],
		summary: "Headline figures of several sites",
		querystring: AggregateOverviewQuery,
		guard,
		answer: AggregateOverviewAnswer,
		errors,
		handler: async (request) => {
			await request.refuseShutSites(request.query.account_ids);
			return aggregateOverview(deps, request.query);
		},
	});
	addRoute(app, "GET /stats/aggregate/devices", {
		tags: ["Stats"],
		summary: "Traffic by device type, over several sites",
		querystring: AggregateQuery,
		guard,
		answer: AggregateDevicesAnswer,
		errors,
		handler: async (request) => {
			await request.refuseShutSites(request.query.account_ids);
			return success(await aggregateDeviceList(deps, request.query));
		},
	});
	for (const report of aggregateReports) {
		addRoute(app, `GET ${report.url}`, {
			tags: ["Stats"],
			summary: report.summary,
			querystring: AggregateListQuery(report),
			guard,
			answer: AggregateListAnswer(report),
			errors,
			handler: async (request) => {
				const query = request.query as AggregateListQuery;
				await request.refuseShutSites(query.account_ids);
				return aggregateList(deps, report, query);
			},
		});
	}
}

async function questionOf(deps: AggregateDeps, shape: RowShape, query: AggregateQuery): Promise<AcrossQuery> {
	const sites = aggregateSites(deps, query.account_ids);
	const { range, conditions } = await parseRequest(deps, sites[0], query, readingOf(Object.values(shape.key)));
	return {
		sites: sites.map(({ id }) => id),
		range,
		conditions,
		dimensions: [...new Set(Object.values(shape.key))],
		metrics: metricsFor(Object.values(shape.columns)),
	};
}

/** One page of a list over several sites. */
async function aggregateList(deps: AggregateDeps, report: AggregateReport, query: AggregateListQuery) {
	const question = await questionOf(deps, report, query);
	const { page, page_size: pageSize, sort_by: sortBy, sort_order: direction } = query;
	const { rows, total } = await runAcrossPage(deps, question, {
		order: { by: figureNamed(report, sortBy), direction },
		limit: pageSize,
		offset: (page - 1) * pageSize,
	});
	const empty = Object.fromEntries((report.empty ?? []).map((field) => [field, null]));
	return pageOf(
		rows.map((row) => ({ ...presentRow(report, row, { unique: { account_count: row.account_count } }), ...empty })),
		{ total, page, pageSize },
	);
}

/** The devices of several sites, the most frequent first. */
async function aggregateDeviceList(deps: AggregateDeps, query: AggregateQuery) {
	const rows = await runAcross(deps, await questionOf(deps, aggregateDevices, query));
	const entrances = addDecimals(rows.map((row) => row.entrances));
	return rows
		.toSorted((one, other) => other.entrances - one.entrances)
		.map((row) => presentRow(aggregateDevices, row, { entrances }));
}
