import { registerAnnotations } from "../../features/reporting/annotations/index.ts";
import { registerBatch } from "../../features/reporting/batch/index.ts";
import { registerLive } from "../../features/reporting/live/index.ts";
import { registerQuery } from "../../features/reporting/query/index.ts";
import { registerSavedViews } from "../../features/reporting/saved-views/index.ts";
import { registerSegments, resolveSegment } from "../../features/reporting/segments/index.ts";
import { registerAggregateStats, registerStats, type SegmentLookup } from "../../features/reporting/stats/index.ts";
import type { App } from "../../platform/http/app.ts";
import type { RouteDeps } from "../app-deps.ts";

/** Reports, alone and in batches, with what people write beside them and keep of them. */
export function registerReporting(api: App, deps: RouteDeps): void {
	const { metadata, eventStore, storedEvents, clock, sites, collecting } = deps;
	registerSegments(api, { metadata, eventStore, clock });
	registerAnnotations(api, { metadata, clock });
	registerSavedViews(api, { metadata, clock });
	const segments: SegmentLookup = (siteId, idOrName) => resolveSegment({ metadata }, siteId, idOrName);
	registerStats(api, { eventStore, clock, segments });
	registerLive(api, { eventStore: storedEvents, clock, segments, whenStored: collecting?.whenStored });
	registerAggregateStats(api, { eventStore, clock, segments, sites });
	registerQuery(api, { eventStore, clock, segments });
	registerBatch(api, { clock });
}
