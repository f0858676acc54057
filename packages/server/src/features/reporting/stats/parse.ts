import type { Dimension } from "../../../analytics/catalog/dimensions.ts";
import { type Condition, type Filter, likeAnywhere } from "../../../analytics/catalog/filters.ts";
import { type PathMeaning, parseAdvancedFilters } from "../../../analytics/query/advanced-filters.ts";
import type { ComparisonMode, DateRange } from "../../../analytics/query/date-range.ts";
import { dimensionFilter } from "../../../analytics/query/dimension-filter.ts";
import { mergeConditions } from "../../../analytics/query/merge-conditions.ts";
import { resolveRange } from "../../../analytics/query/resolve-range.ts";
import { ApiError } from "../../../platform/http/api-error.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { ListQuery, OverviewQuery } from "./schemas.ts";

/** The site whose events are asked for. */
export interface StatsSite {
	/** The slug. */
	readonly id: string;
	/** IANA zone. */
	readonly timezone: string;
}

/** What every report of one site shares. */
export interface StatsRequest {
	readonly site: string;
	readonly range: DateRange;
	readonly comparison: ComparisonMode | undefined;
	readonly conditions: readonly Condition[];
}

type Query = OverviewQuery | ListQuery;

const parameterDimensions = [
	"country",
	"device_type",
	"browser",
	"os",
	"channel_group",
	"utm_source",
	"utm_medium",
	"utm_campaign",
	"utm_term",
	"utm_content",
	"content_grouping",
] as const satisfies readonly Dimension[];

function parameterFilters(query: Partial<ListQuery>, path: PathMeaning): Filter[] {
	const filters = parameterDimensions.flatMap((name) => {
		const values = query[name];
		return values === undefined ? [] : [dimensionFilter(name, "in", values, `query.${name}`)];
	});
	const part = query.path_filter;
	if (part !== undefined) filters.push(dimensionFilter(path, "like", [likeAnywhere(part)], "query.path_filter"));
	return filters;
}

/** Reads dates, comparison and filters. 422 and 400 as `resolveRange` and the filters say; 404 for an unknown segment. */
export function parseRequest(site: StatsSite, clock: Clock, query: Query, path: PathMeaning): StatsRequest {
	if (query.segment !== undefined) throw new ApiError("not_found", { message: "Segment not found" });
	const { compare } = query;
	return {
		site: site.id,
		range: resolveRange(query, { timezone: site.timezone, clock, at: "query" }),
		comparison: compare === "true" ? "previous" : compare,
		conditions: mergeConditions({
			advanced: parseAdvancedFilters(query.filters ?? "", path, "query.filters"),
			parameters: parameterFilters(query, path),
			segment: [],
		}),
	};
}
