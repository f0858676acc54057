import type { EventStore } from "../../../platform/event-store/event-store.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import { type SegmentLookup, segmentsOf } from "../stats/index.ts";
import { type OpenQuery, parseQuery, type QuerySite } from "./parse.ts";
import type { QueryBody } from "./schemas.ts";

interface ReadQueryDeps {
	readonly eventStore: EventStore;
	readonly clock: Clock;
	readonly segments: SegmentLookup;
}

/** The parameters that choose among the rows. */
interface RowChoice {
	readonly segment?: string;
	readonly segment_filters?: string;
	readonly imports?: "include" | "exclude";
}

/**
 * The query that a request asks, within its segments. 400 and 422 as `parseQuery` and the segments say; 404 for an unknown
 * segment.
 */
export async function readQuery(
	deps: ReadQueryDeps,
	site: QuerySite,
	{ query, body }: { readonly query: RowChoice; readonly body: QueryBody },
): Promise<OpenQuery> {
	const segments = await segmentsOf(deps, site, query);
	return parseQuery(site, deps.clock, body, { segments, imports: query.imports });
}
