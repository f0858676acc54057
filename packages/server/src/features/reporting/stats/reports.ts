import { campaignDimensions, type Dimension } from "../../../analytics/catalog/dimensions.ts";
import type { Metric } from "../../../analytics/catalog/metrics.ts";
import type { Rate } from "../../../analytics/catalog/rates.ts";
import type { PathMeaning } from "../../../analytics/query/advanced-filters.ts";

/** A number in an answer's row. */
export type Column = Metric | Rate;

/** A paginated report: one row of the table below. */
export interface ListReport {
	readonly url: string;
	readonly summary: string;
	/** What a row stands for, in the order of the answer. */
	readonly key: readonly [Dimension, ...Dimension[]];
	readonly columns: readonly Column[];
	/** What rows can be sorted by, the default first. */
	readonly sortBy: readonly [Metric, ...Metric[]];
	readonly maxPageSize: number;
	/** Numbers of the earlier period under `comparison`. */
	readonly comparison: readonly Column[];
	/** What the filter field `path` means. */
	readonly path: PathMeaning;
	/** Takes `search`, a part of the first key. */
	readonly search: boolean;
	/** Takes `include_totals`. */
	readonly totals: boolean;
	/** Takes `content_grouping`, `path_filter`, `include` and `include_utm`. */
	readonly pageParameters: boolean;
}

const trafficColumns = [
	"entrances",
	"page_views",
	"engaged_entrances",
	"bounce_rate",
	"conversions",
	"revenue",
] as const satisfies readonly Column[];

const traffic = {
	columns: trafficColumns,
	sortBy: ["entrances", "engaged_entrances", "page_views", "conversions", "revenue"],
	maxPageSize: 100,
	comparison: trafficColumns,
	path: "landing_page",
	search: true,
	totals: true,
	pageParameters: false,
} as const satisfies Partial<ListReport>;

/** Every paginated report over additive metrics. */
export const listReports: readonly ListReport[] = [
	{ ...traffic, url: "/stats/sources", summary: "Traffic by source", key: ["utm_source"] },
	{
		url: "/stats/pages",
		summary: "Page views by page",
		key: ["path", "content_grouping"],
		columns: ["page_views", "entrances"],
		sortBy: ["page_views", "entrances"],
		maxPageSize: 1000,
		comparison: ["entrances", "engaged_entrances", "page_views", "conversions", "revenue"],
		path: "path",
		search: false,
		totals: false,
		pageParameters: true,
	},
];

/** Values of `include` with the column that each adds to a row. */
export const includable = {
	device: "device_type",
	browser: "browser",
	os: "os",
	channel_group: "channel_group",
} as const satisfies Record<string, Dimension>;

/** A value of `include`. */
export type Includable = keyof typeof includable;

/** The columns that `include_utm` and `include` add, in the order of the answer. */
export function extraDimensions(includeUtm: boolean, include: readonly Includable[]): Dimension[] {
	const names = Object.keys(includable) as Includable[];
	return [
		...(includeUtm ? campaignDimensions : []),
		...names.filter((name) => include.includes(name)).map((name) => includable[name]),
	];
}
