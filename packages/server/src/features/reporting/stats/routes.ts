import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { CommonQuery, DevicesAnswer, TypeAnswer, TypePath, TypesAnswer } from "./breakdown-schemas.ts";
import type { StatsDeps } from "./deps.ts";
import { devices } from "./devices.ts";
import { notCompared } from "./explain.ts";
import { readingReports, readingShared } from "./guard.ts";
import { listReport } from "./list-report.ts";
import { BadDates, ListAnswer, ListQuery, TopAnswer, TopQuery } from "./list-schemas.ts";
import { microconversion, microconversionTypes } from "./microconversions.ts";
import { overview } from "./overview.ts";
import { OverviewAnswer, OverviewQuery } from "./overview-schemas.ts";
import { listReports } from "./reports.ts";
import { topReport } from "./top-report.ts";
import { topReports } from "./top-reports.ts";

const tags = ["Stats"];

/** Registers overview, lists and breakdowns of `/stats/*`. */
export function registerReports(app: App, deps: StatsDeps): void {
	app.route({
		method: "GET",
		url: "/stats/overview",
		config: { guard: readingShared("overview") },
		schema: {
			tags,
			summary: "Headline figures of a site",
			querystring: OverviewQuery,
			response: { 200: OverviewAnswer, 400: BadDates },
		},
		handler: async (request) => overview(deps, request.site, request.query),
	});
	for (const report of listReports) {
		app.route({
			method: "GET",
			url: report.url,
			config: { guard: readingShared(report.list) },
			schema: {
				tags,
				summary: report.summary,
				querystring: ListQuery(report),
				response: { 200: ListAnswer(report), 400: BadDates },
			},
			handler: async (request) => listReport(deps, report, request.site, request.query as ListQuery),
		});
	}
	for (const report of topReports) {
		app.route({
			method: "GET",
			url: report.url,
			config: { guard: readingShared(report.list) },
			schema: {
				tags,
				summary: report.summary,
				querystring: TopQuery(report),
				response: { 200: TopAnswer(report), 400: BadDates },
			},
			handler: async (request) => topReport(deps, report, request.site, request.query as TopQuery),
		});
	}
	registerBreakdowns(app, deps);
}

function registerBreakdowns(app: App, deps: StatsDeps): void {
	app.route({
		method: "GET",
		url: "/stats/devices",
		config: { guard: readingReports },
		schema: {
			tags,
			summary: "Traffic by device type, browser and operating system",
			querystring: CommonQuery,
			response: { 200: DevicesAnswer, 400: BadDates },
		},
		handler: async (request) => devices(deps, request.site, request.query),
	});
	app.route({
		method: "GET",
		url: "/stats/microconversions/:type",
		config: { guard: readingReports },
		schema: {
			tags,
			summary: "One type of microconversion",
			params: TypePath,
			querystring: CommonQuery,
			response: { 200: TypeAnswer, 400: BadDates },
		},
		// Texts of a path keep the blanks at their ends, which no stored type has.
		handler: async (request) =>
			success(
				await microconversion(deps, request.site, request.params.type.trim(), request.query),
				notCompared(request.query),
			),
	});
	app.route({
		method: "GET",
		url: "/stats/microconversions-types",
		config: { guard: readingReports },
		schema: {
			tags,
			summary: "Types of microconversion that happened",
			querystring: CommonQuery,
			response: { 200: TypesAnswer, 400: BadDates },
		},
		handler: async (request) =>
			success(await microconversionTypes(deps, request.site, request.query), notCompared(request.query)),
	});
}
