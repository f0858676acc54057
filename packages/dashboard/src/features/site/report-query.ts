import { segmentFilters } from "./parse-filter.ts";
import type { Period, SiteSearch } from "./search.ts";

/** The parameters that all reports of a site share: which site, when, which hits. */
export interface ReportQuery {
	readonly site_id: string;
	readonly period?: Period;
	readonly start_date?: string;
	readonly end_date?: string;
	readonly segment?: string;
	readonly segment_filters?: string;
}

/** Parameters of a comparison. A running day, week or month is compared with the same part of the one before. */
export interface ComparedQuery extends ReportQuery {
	readonly compare?: Exclude<SiteSearch["compare"], "none">;
	readonly compare_align?: "elapsed";
	readonly compare_start?: string;
	readonly compare_end?: string;
}

/** All time has no end, so that a saved address follows today. */
function daysParameters({ period, from = "", to = "" }: SiteSearch) {
	if (period === "all") return { start_date: from };
	return period === "custom" ? { start_date: from, end_date: to } : { period };
}

/** The address as parameters of reports. */
export function reportQuery(siteId: string, search: SiteSearch): ReportQuery {
	const { segment, f } = search;
	return {
		site_id: siteId,
		...daysParameters(search),
		...(segment !== undefined && { segment }),
		...filterParameters(f),
	};
}

/** Which hits are counted, exactly as the address says: values keep their commas. */
function filterParameters(f: readonly string[]): Pick<ReportQuery, "segment_filters"> {
	const filters = segmentFilters(f);
	return filters === undefined ? {} : { segment_filters: filters };
}

/** A report's parameters with other filters. */
export function withFilters<T extends object>(input: T, f: readonly string[]): T {
	const { segment_filters, ...rest } = input as T & ReportQuery;
	return { ...rest, ...filterParameters(f) } as T;
}

/** The same with the comparison that the address names. */
export function comparedQuery(siteId: string, search: SiteSearch): ComparedQuery {
	const query = reportQuery(siteId, search);
	if (search.compare === "none") return query;
	if (search.compare === "custom") {
		return { ...query, compare: "custom", compare_start: search.cfrom ?? "", compare_end: search.cto ?? "" };
	}
	return { ...query, compare: search.compare, compare_align: "elapsed" };
}
