import { ofVisits } from "../../../analytics/query/question/reading.ts";
import { runSourceFunnel } from "../../../analytics/query/reports/source-funnel.ts";
import { runStepFunnel } from "../../../analytics/query/reports/step-funnel.ts";
import type { StatsDeps } from "./deps.ts";
import { presentSourceFunnel, presentStepFunnel } from "./funnel-present.ts";
import type { StepFunnelBody } from "./funnel-schemas.ts";
import { parseRequest, type StatsQuery, type StatsSite } from "./parse.ts";

/** Traffic, events and revenue of each source. */
export async function sourceFunnel(deps: StatsDeps, site: StatsSite, query: StatsQuery) {
	const request = await parseRequest(deps, site, query, ofVisits);
	return presentSourceFunnel(request, await runSourceFunnel(deps, request));
}

/** The sessions that did the steps of a funnel in their order. */
export async function stepFunnel(deps: StatsDeps, site: StatsSite, query: StatsQuery, body: StepFunnelBody) {
	const request = await parseRequest(deps, site, query, ofVisits);
	const counts = await runStepFunnel(deps, { ...request, steps: body.steps });
	return presentStepFunnel({ ...body, range: request.range }, counts);
}
