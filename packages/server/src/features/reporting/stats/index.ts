import type { App } from "../../../platform/http/app.ts";
import type { StatsDeps } from "./deps.ts";
import { registerExitPages } from "./exit-pages.ts";
import { registerFunnels } from "./funnel.ts";
import { registerProperties } from "./properties.ts";
import { registerRawRows } from "./raw-rows.ts";
import { registerReports } from "./routes.ts";

export { registerAggregateStats } from "./aggregate-routes.ts";
export type { SegmentLookup, StatsDeps } from "./deps.ts";
export { explained, PageMeta } from "./explain.ts";
export { readingReports } from "./guard.ts";
export { eventParameters, explainParameter, segmentFiltersDescription } from "./parameters.ts";
export { parseConditions, segmentsOf } from "./parse.ts";
export { siteReports } from "./routes.ts";
export { type SharedSite, withinShare } from "./within-share.ts";

/** Registers the routes of `/stats/*`. */
export function registerStats(app: App, deps: StatsDeps): void {
	registerReports(app, deps);
	registerExitPages(app, deps);
	registerRawRows(app, deps);
	registerFunnels(app, deps);
	registerProperties(app, deps);
}
