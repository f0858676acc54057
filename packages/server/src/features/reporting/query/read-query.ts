import { type Condition, withoutImports } from "../../../analytics/catalog/filters.ts";
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

/** The parameters that choose among the rows. */
interface RowChoice {
	readonly segment?: string;
	readonly imports?: "include" | "exclude";
}

async function conditionsOf(deps: ReadQueryDeps, site: QuerySite, query: RowChoice): Promise<Condition[]> {
	const segment = await segmentOf(deps, site, query.segment);
	return query.imports === "exclude" ? [...segment, withoutImports] : segment;
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
	request: { readonly query: RowChoice; readonly body: QueryBody },
): Promise<OpenQuery> {
	return parseQuery(site, deps.clock, request.body, await conditionsOf(deps, site, request.query));
}
