import type { Guard } from "../../../access/index.ts";
import { readingOf } from "../../../analytics/query/question/reading.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { type StatsDeps, segmentsOf, withinShare } from "../stats/index.ts";
import { type OpenQuery, parseQuery, type QuerySite, type RowChoice } from "./parse.ts";
import type { QueryBody } from "./schemas.ts";
import type { QueryDimension } from "./vocabulary.ts";

export const asking: Extract<Guard, { kind: "site" }> = {
	kind: "site",
	siteFrom: "query",
	keyScope: "stats:read",
	role: "viewer",
	write: false,
	namesRefusals: true,
};

/** The parameters that choose among the rows. */
export interface ChoosingParameters {
	readonly segment?: string;
	readonly segment_filters?: string;
	readonly imports?: "include" | "exclude";
}

/** The rows that the parameters of a question stand for. 422 as the written segment says; 404 for an unknown segment. */
export const rowChoiceOf = async (deps: StatsDeps, site: QuerySite, query: ChoosingParameters): Promise<RowChoice> => ({
	segments: await segmentsOf(deps, site, query),
	imports: query.imports,
});

/**
 * The query that a request asks, within its segments. 400 and 422 as `parseQuery` and the segments say; 404 for an unknown
 * segment, 403 for what a shared link does not admit.
 */
export async function readQuery(
	deps: StatsDeps,
	site: QuerySite,
	{ query, body }: { readonly query: ChoosingParameters; readonly body: QueryBody },
): Promise<OpenQuery> {
	const found = parseQuery(site, deps.clock, body, await rowChoiceOf(deps, site, query));
	const { dimensions, question } = found;
	if (site.share !== null) refuseOtherThanTimes(dimensions);
	const conditions = await withinShare(deps, site, question.conditions, readingOf(dimensions));
	return { ...found, question: { ...question, conditions } };
}

/** Dimensions of the list `hours` of a shared link. */
const times: ReadonlySet<QueryDimension> = new Set(["date", "hour", "day_of_week"] as const);

function refuseOtherThanTimes(dimensions: readonly QueryDimension[]): void {
	const other = dimensions.find((name) => !times.has(name));
	if (other === undefined) return;
	throw new ServiceError("forbidden", { message: `The shared link does not show ${other}` });
}
