import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import type { StatsDeps } from "./deps.ts";
import { notCompared } from "./explain.ts";
import { sourceFunnel, stepFunnel } from "./funnel.ts";
import { FunnelQuery, SourceFunnelAnswer, StepFunnelAnswer, StepFunnelBody } from "./funnel-schemas.ts";
import { readingReports } from "./guard.ts";
import { BadDates } from "./list-schemas.ts";

/** Registers the two routes of `/stats/funnel`. */
export function registerFunnels(app: App, deps: StatsDeps): void {
	addRoute(app, "GET /stats/funnel", {
		tags: ["Stats"],
		summary: "Traffic, events and revenue by source",
		querystring: FunnelQuery,
		guard: readingReports,
		answer: SourceFunnelAnswer,
		errors: { 400: BadDates },
		handler: async (request) =>
			success(await sourceFunnel(deps, request.site, request.query), notCompared(request.query)),
	});
	addRoute(app, "POST /stats/funnel", {
		tags: ["Stats"],
		summary: "Funnel: sessions that completed steps in order",
		querystring: FunnelQuery,
		body: StepFunnelBody,
		guard: readingReports,
		answer: StepFunnelAnswer,
		handler: async (request) =>
			success(await stepFunnel(deps, request.site, request.query, request.body), notCompared(request.query)),
	});
}
