import type { SharedView, ShareList } from "../../../access/index.ts";
import { canonicalPath } from "../../../analytics/attribution/canonical-path.ts";
import type { Dimension, Property } from "../../../analytics/catalog/dimensions.ts";
import { type Condition, type Filter, leavesOf, likeAnywhere } from "../../../analytics/catalog/filters.ts";
import { parseAdvancedFilters } from "../../../analytics/query/question/advanced-filters.ts";
import { placed } from "../../../analytics/query/question/bad-question.ts";
import type { DateRange } from "../../../analytics/query/question/date-range.ts";
import { dimensionFilter } from "../../../analytics/query/question/dimension-filter.ts";
import { mergeConditions, type Reading, segmentConditions } from "../../../analytics/query/question/reading.ts";
import { type ComparisonName, resolveComparison } from "../../../analytics/query/question/resolve-comparison.ts";
import { type DateInput, resolveRange } from "../../../analytics/query/question/resolve-range.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import { readSegmentFilters } from "../segments/index.ts";
import { type FilterParameter, filterParameters } from "./parameters.ts";

/** Finds the conditions of a site's saved segment by its id or name; undefined if there is none. */
export type SegmentLookup = (siteId: string, idOrName: string) => Promise<Condition | undefined>;

export interface StatsDeps {
	readonly eventStore: EventStore;
	readonly clock: Clock;
	readonly segments: SegmentLookup;
}

/** A site as reports see it that a shared link may have led to. */
export interface SharedSite {
	/** The slug. */
	readonly id: string;
	/** Content of the shared link by which the site is read; null for all other callers. */
	readonly share: SharedView | null;
}

/** The dimensions whose values a list tells, and by which its readers may therefore filter. */
const told: Readonly<Record<ShareList, readonly Dimension[]>> = {
	channels: ["channel_group"],
	sources: ["utm_source"],
	mediums: ["utm_medium"],
	campaigns: ["utm_campaign"],
	terms: ["utm_term"],
	contents: ["utm_content"],
	referrers: ["referrer_domain"],
	// A question about visits reads a page as the landing page.
	pages: ["path", "landing_page"],
	landing_pages: ["landing_page"],
	exit_pages: ["path", "landing_page"],
	content_groups: ["content_grouping", "landing_content_grouping"],
	countries: ["country"],
	devices: ["device_type"],
	browsers: ["browser"],
	systems: ["os"],
	conversions: ["conversion_type"],
	microconversions: ["conversion_type"],
	properties: [],
	hours: ["hour", "day_of_week"],
};

/**
 * True when the lists of a shared link tell the values of all these dimensions; always for other callers. No list tells
 * the values of properties.
 */
export function tells(share: SharedView | null, dimensions: readonly (Dimension | Property)[]): boolean {
	if (share === null) return true;
	const open = new Set<Dimension | Property>(share.lists.flatMap((list) => told[list]));
	return dimensions.every((dimension) => open.has(dimension));
}

const dimensionsOf = (condition: Condition): readonly (Dimension | Property)[] =>
	leavesOf(condition).flatMap((leaf) => ("imports" in leaf ? [] : [leaf.dimension]));

/**
 * Restricts a request to a shared link: the link's segment applies in addition to every filter of its readers, whatever
 * field they name. `forbidden` for a filter that the link does not admit, and once its segment is deleted: a link never
 * shows more than it was made for.
 */
export async function withinShare(
	deps: Pick<StatsDeps, "segments">,
	{ id, share }: SharedSite,
	asked: readonly Condition[],
	reading: Reading,
): Promise<readonly Condition[]> {
	if (share === null) return asked;
	if (asked.length > 0 && !share.mayFilter) throw refused("The shared link does not allow filters");
	if (!tells(share, asked.flatMap(dimensionsOf))) throw refused("The shared link does not show what this filters by");
	if (share.segmentId === null) return asked;
	const segment = await deps.segments(id, share.segmentId);
	if (segment === undefined) throw refused("The segment of the shared link is gone");
	return [...asked, ...segmentConditions(segment, reading)];
}

const refused = (message: string) => new ServiceError("forbidden", message);

/** The site whose events are asked for. */
export interface StatsSite extends SharedSite {
	/** IANA zone. */
	readonly timezone: string;
}

export interface StatsRequest {
	readonly site: string;
	readonly range: DateRange;
	/** The days that the range is compared with. */
	readonly comparison: DateRange | undefined;
	readonly conditions: readonly Condition[];
}

type Values = string | readonly string[];

/** The parameters that choose events, whenever they happened. */
export interface EventsQuery extends Partial<Readonly<Record<FilterParameter, Values>>> {
	readonly segment?: string;
	readonly segment_filters?: string;
	readonly filters?: string;
	readonly imports?: "include" | "exclude";
	readonly content_grouping?: Values;
	readonly landing_page?: Values;
	readonly conversion_type?: Values;
	readonly path_filter?: string;
}

/** The parameters that choose days and events; a route that does not take one leaves it out. */
export interface StatsQuery extends DateInput, EventsQuery {
	readonly compare?: ComparisonName | "true";
	readonly compare_start?: string;
	readonly compare_end?: string;
	readonly compare_align?: "elapsed";
}

type ParseDeps = Pick<StatsDeps, "segments" | "eventStore">;

function parameterFilters(query: EventsQuery, { path }: Reading): Filter[] {
	const group = path === "path" ? "content_grouping" : "landing_content_grouping";
	const given = [
		...filterParameters.map((name) => [name, name, query[name]] as const),
		["content_grouping", group, query.content_grouping] as const,
		["landing_page", "landing_page", query.landing_page] as const,
		["conversion_type", "conversion_type", query.conversion_type] as const,
	];
	const filters = given.flatMap(([name, dimension, values]) =>
		values === undefined ? [] : [placed(`query.${name}`, () => dimensionFilter(dimension, "in", [values].flat()))],
	);
	const part = query.path_filter;
	if (part !== undefined) filters.push(dimensionFilter(path, "like", [likeAnywhere(canonicalPath(part))]));
	return filters;
}

/**
 * The segments that a request is about: one that it writes out, which ranks higher, and a saved one. 404 for one that is not
 * saved, 422 for what could not be.
 */
export async function segmentsOf(
	deps: ParseDeps,
	site: Pick<StatsSite, "id">,
	{ segment, segment_filters: written }: Pick<EventsQuery, "segment" | "segment_filters">,
): Promise<Condition[]> {
	const found = segment === undefined ? undefined : await deps.segments(site.id, segment);
	if (segment !== undefined && found === undefined) {
		throw new ServiceError("not_found", "Segment not found");
	}
	const read = written === undefined ? undefined : await readSegmentFilters(deps, written, "query.segment_filters");
	return [read, found].filter((one) => one !== undefined);
}

/** Reads what chooses events. 422 as the filters say; 404 for an unknown segment; 403 for what a shared link does not admit. */
export async function parseConditions(
	deps: ParseDeps,
	site: SharedSite,
	query: EventsQuery,
	reading: Reading,
): Promise<readonly Condition[]> {
	const advanced = placed("query.filters", () => parseAdvancedFilters(query.filters ?? "", reading));
	const parameters = parameterFilters(query, reading);
	const segments = await segmentsOf(deps, site, query);
	const asked = mergeConditions({ advanced, parameters, segments, imports: query.imports }, reading);
	return withinShare(deps, site, asked, reading);
}

/** Reads dates, comparison and filters. 422 and 400 as `resolveRange` and the filters say; 404 for an unknown segment. */
export async function parseRequest(
	deps: StatsDeps,
	site: StatsSite,
	query: StatsQuery,
	reading: Reading,
): Promise<StatsRequest> {
	const context = { timezone: site.timezone, clock: deps.clock };
	const range = placed("query", () => resolveRange(query, context));
	const compare = query.compare === "true" ? "previous" : query.compare;
	return {
		site: site.id,
		range,
		comparison: placed("query", () => resolveComparison({ ...query, compare }, range, context)),
		conditions: await parseConditions(deps, site, query, reading),
	};
}
