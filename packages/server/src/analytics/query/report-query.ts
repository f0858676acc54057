import type { Dimension } from "../catalog/dimensions.ts";
import type { Condition } from "../catalog/filters.ts";
import type { Metric } from "../catalog/metrics.ts";
import type { DateRange } from "./date-range.ts";

/** Sorting by a selected column. */
interface Order {
	readonly by: Dimension | Metric;
	readonly direction: "asc" | "desc";
}

/** What a report asks of the events: plain data, the same for the HTTP routes, exports and alerts. */
export interface ReportQuery<M extends Metric = Metric> {
	/** Slug of the site. */
	readonly site: string;
	readonly range: DateRange;
	/** Grouping columns; none = one row of totals. */
	readonly dimensions: readonly Dimension[];
	readonly metrics: readonly M[];
	/** All of them hold. */
	readonly conditions: readonly Condition[];
}

/** One group: a value for each dimension, a number for each metric of the query. */
export type ReportRow<M extends Metric = Metric> = Readonly<Partial<Record<Dimension, string | number>>> &
	Readonly<Record<M, number>>;

/** A page of sorted groups; rows that compare equal come by their dimensions, ascending. */
export interface PageRequest {
	readonly order: readonly Order[];
	readonly limit: number;
	readonly offset: number;
	/** Also sum each metric over all groups. */
	readonly totals: boolean;
}
