import type { App } from "../../../platform/http/app.ts";
import { type AggregateDeps, registerAggregateLists, registerAggregateOverview } from "./aggregate-reports.ts";
import { registerExitPages } from "./exit-pages.ts";
import { registerFunnels } from "./funnel.ts";
import type { StatsDeps } from "./parse.ts";
import { registerProperties } from "./properties.ts";
import { registerRawRows } from "./raw-rows.ts";
import { registerReports } from "./routes.ts";

export { alignment, choosingParameters, eventParameters, explainParameter } from "./parameters.ts";
export {
	type EventsQuery,
	parseConditions,
	type SegmentLookup,
	type SharedSite,
	type StatsDeps,
	type StatsSite,
	segmentsOf,
	withinShare,
} from "./parse.ts";
export { errors, explained, PageMeta, readingReports } from "./report-route.ts";
export { siteReports } from "./routes.ts";

/** Registers the routes of `/stats/*`. */
export function registerStats(app: App, deps: StatsDeps): void {
	registerReports(app, deps);
	registerExitPages(app, deps);
	registerRawRows(app, deps);
	registerFunnels(app, deps);
	registerProperties(app, deps);
}

/** Registers the routes of `/stats/aggregate/*`: reports over several sites, for superadmins. */
export function registerAggregateStats(app: App, deps: AggregateDeps): void {
	registerAggregateOverview(app, deps);
	registerAggregateLists(app, deps);
}
