/** Lists of the report that a shared link may show beside the overview, which it always shows. */
export const shareLists = [
	"channels",
	"sources",
	"mediums",
	"campaigns",
	"terms",
	"contents",
	"referrers",
	"pages",
	"landing_pages",
	"exit_pages",
	"content_groups",
	"countries",
	"devices",
	"browsers",
	"systems",
	"conversions",
	"microconversions",
	"properties",
	"hours",
] as const;
export type ShareList = (typeof shareLists)[number];

/** Content that a shared link shows of its site beside the overview. */
export interface SharedView {
	readonly lists: readonly ShareList[];
	/** Whether its readers may filter, by what the lists show. */
	readonly mayFilter: boolean;
	/** The segment within which every report stays; null = all visits. */
	readonly segmentId: string | null;
}

/** Parameters that choose days, comparison, rows and their order, which every shared link admits. */
const plainParameters: ReadonlySet<string> = new Set([
	"site_id",
	"account_id",
	"period",
	"start_date",
	"end_date",
	"date_from",
	"date_to",
	"compare",
	"compare_start",
	"compare_end",
	"compare_align",
	"series",
	"granularity",
	"page",
	"page_size",
	"limit",
	"sort_by",
	"sort_order",
	"search",
	"include_totals",
	"include_content_group",
	"table",
]);

/** Parameters that filter visits. Their fields are checked where they are parsed. */
const filterParameters: ReadonlySet<string> = new Set([
	"filters",
	"segment_filters",
	"path_filter",
	"content_grouping",
	"landing_page",
	"conversion_type",
	"utm_source",
	"utm_medium",
	"utm_campaign",
	"utm_term",
	"utm_content",
	"country",
	"device_type",
	"browser",
	"os",
	"channel_group",
	"imports",
]);

/** Figures that a report may add to its rows; all else that `include` names is a column of another list. */
const addedFigures: ReadonlySet<unknown> = new Set(["visitors", "visit_duration"]);

/**
 * The first parameter of a request that a shared link does not admit; undefined if all are admitted. Unknown parameters
 * are not admitted: saved segments, columns of other lists, the SQL of an answer.
 */
export function refusedParameter(view: SharedView, query: Readonly<Record<string, unknown>>): string | undefined {
	return Object.keys(query).find((name) => {
		if (name === "include") return ![query[name]].flat().every((figure) => addedFigures.has(figure));
		return !plainParameters.has(name) && !(view.mayFilter && filterParameters.has(name));
	});
}
