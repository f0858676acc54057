import type { Condition } from "../../../analytics/catalog/filters.ts";
import { segmentConditions } from "../../../analytics/query/question/segment-condition.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { SegmentLookup } from "../stats/index.ts";
import { type OpenQuery, parseQuery, type QuerySite } from "./parse.ts";
import type { QueryBody } from "./schemas.ts";

interface ReadQueryDeps {
	readonly clock: Clock;
	readonly segments: SegmentLookup;
}

async function segmentOf(deps: ReadQueryDeps, site: QuerySite, idOrName: string | undefined): Promise<Condition[]> {
	if (idOrName === undefined) return [];
	const segment = await deps.segments(site.id, idOrName);
	if (segment === undefined) throw new ServiceError("not_found", { message: "Segment not found" });
	return segmentConditions(segment, "landing_page");
}

/** The query that a request asks, within its segment. 400 and 422 as `parseQuery` says; 404 for an unknown segment. */
export async function readQuery(
	deps: ReadQueryDeps,
	site: QuerySite,
	request: { readonly query: { readonly segment?: string }; readonly body: QueryBody },
): Promise<OpenQuery> {
	return parseQuery(site, deps.clock, request.body, await segmentOf(deps, site, request.query.segment));
}
