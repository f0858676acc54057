import type { Dimension, GroupKey } from "../../catalog/dimensions.ts";
import type { Condition } from "../../catalog/filters.ts";
import type { Metric } from "../../catalog/metrics.ts";
import type { Figure } from "../../catalog/rates.ts";
import type { DateRange } from "./date-range.ts";

/** Sorting by a selected column, or by a rate of selected metrics. */
export interface Order {
	readonly by: Dimension | Figure;
	readonly direction: "asc" | "desc";
}

/** A query of a report: plain data, the same for HTTP routes, exports and alerts. */
export interface ReportQuery<M extends Metric = Metric> {
	/** Slug of the site, or slugs of several. */
	readonly site: string | readonly string[];
	readonly range: DateRange;
	/** Grouping columns; none = one row of totals. */
	readonly dimensions: readonly Dimension[];
	readonly metrics: readonly M[];
	/** Figures of which a group must have at least one to be a row; the metrics by default. */
	readonly shown?: readonly Figure[];
	/** All of them hold. */
	readonly conditions: readonly Condition[];
	/** Rows of the days of this range count too. */
	readonly earlier?: DateRange;
}

/** A question as it is compiled: also about groups by the whole campaign. */
export interface GroupQuery extends Omit<ReportQuery, "dimensions"> {
	readonly dimensions: readonly GroupKey[];
}

/** Values of some dimensions. */
export type Labels = Readonly<Partial<Record<GroupKey, string | number>>>;

/** One group: a value for each dimension, a number for each metric of the query. */
export type ReportRow<M extends Metric = Metric> = Labels & Readonly<Record<M, number>>;

/** A page of sorted groups; rows that compare equal come by their dimensions, ascending. */
export interface PageRequest {
	readonly order: readonly Order[];
	readonly limit: number;
	readonly offset: number;
	/** Metrics of the query that are also summed over all groups; absent = none. */
	readonly totals?: readonly Metric[];
}

/** The first groups of two periods in the order of today's sums, from an offset; all of them without a limit. */
export interface ComparedPage
	extends Pick<PageRequest, "order" | "totals">,
		Partial<Pick<PageRequest, "limit" | "offset">> {
	/** The same as `totals` for the earlier period, and of metrics that add up also without being those of the query. */
	readonly earlierTotals?: readonly Metric[];
	/** Orders by the larger of both periods' sums of this metric instead, also the groups that only counted earlier. */
	readonly largest?: Metric;
}

/** The first groups in an order; rows that compare equal come by their dimensions, ascending. */
export interface TopRequest {
	readonly order: readonly Order[];
	/** All groups when absent. */
	readonly limit?: number;
	/** Counts the limit for each value of a dimension on its own. */
	readonly per?: Dimension;
	/** No more rows than this altogether. */
	readonly most?: number;
}
