import type { Answer, Query } from "../../api/client.ts";
import { daysBetween } from "../../lib/days.ts";
import type { MetricKey } from "../site/index.ts";

/** Totals of a period, with series and with those of the days before. */
export type Overview = Answer<"GET /stats/overview">;
/** A metric that can be drawn over time. */
export type SeriesKey = NonNullable<Query<"GET /stats/overview">["series"]>[number];
/** How much time a point of a series stands for. */
export type Step = "hourly" | "daily" | "weekly" | "monthly";

/** The tiles of the strip, in their order. */
export const tileKeys = [
	"entrances",
	"visitors",
	"page_views",
	"bounce_rate",
	"visit_duration",
	"conversions",
	"conversion_rate",
	"revenue",
] as const satisfies readonly MetricKey[];
export type TileKey = (typeof tileKeys)[number];

const seriesKeys = [
	"entrances",
	"visitors",
	"page_views",
	"engaged_entrances",
	"bounce_rate",
	"microconversions",
	"conversions",
	"conversion_rate",
	"revenue",
] as const satisfies readonly SeriesKey[];

/** The metrics that a chart can show. */
export const chartable: readonly SeriesKey[] = seriesKeys;

/** True for a metric that the API has over time. */
export const isChartable = (key: string | undefined): key is SeriesKey => seriesKeys.includes(key as SeriesKey);

/** A total of the period. */
export const totalOf = ({ traffic, conversions }: Overview, key: SeriesKey | TileKey): number =>
	key === "conversion_rate" ? conversions.conversion_rate : traffic[key];

/** The same of the days that it is compared with; undefined without a comparison. */
export const totalBefore = (overview: Overview, key: SeriesKey | TileKey): number | undefined =>
	key === "conversion_rate" ? overview.conversions_change?.conversion_rate : overview.traffic_change?.[key];

/** Steps that make sense for so many days. */
export const stepsFor = (days: number): readonly Step[] => [
	...(days <= 31 ? (["hourly"] as const) : []),
	...(days >= 2 ? (["daily"] as const) : []),
	...(days > 13 ? (["weekly"] as const) : []),
	...(days > 59 ? (["monthly"] as const) : []),
];

/** The step that the address names, where it makes sense, else the one that shows the days best. */
export function stepOf(by: Step | "auto", { from, to }: { readonly from: string; readonly to: string }): Step {
	const days = daysBetween(from, to);
	if (by !== "auto" && stepsFor(days).includes(by)) return by;
	if (days <= 1) return "hourly";
	return days <= 92 ? "daily" : "weekly";
}
