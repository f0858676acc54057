import type { Measures } from "../../../../analytics/catalog/metrics.ts";
import type { DateRange } from "../../../../analytics/query/question/date-range.ts";

/** Figures that rules examine. */
export const lookedAt = [
	"entrances",
	"engaged_entrances",
	"page_views",
	"microconversions",
	"conversions",
	"revenue",
] as const;
export type Sums = Measures<(typeof lookedAt)[number]>;

/** A week, or another period, beside the one before. */
export interface Compared<T> {
	readonly now: T;
	readonly before: T;
}

/** One value of a dimension in both weeks. */
export interface Part extends Compared<Sums> {
	readonly value: string;
}

/** The dimensions whose values are looked at. */
export const partNames = [
	"channel_group",
	"utm_campaign",
	"country",
	"device_type",
	"landing_page",
	"utm_source",
] as const;
export type PartName = (typeof partNames)[number];

/** Hits, and those of them that a bot may have sent. */
export interface BotHits {
	readonly hits: number;
	readonly suspicious: number;
}

/** Everything that the rules look at of a site. */
export interface WeekFigures extends Compared<Sums> {
	/** The last seven whole days, and the seven before. */
	readonly days: Compared<DateRange>;
	/** Of the 14 days, those with hits. */
	readonly daysWithData: number;
	readonly parts: Readonly<Record<PartName, readonly Part[]>>;
	readonly bots: Compared<BotHits>;
	/** Hits of the last 24 hours and the mean of the seven times 24 hours before; undefined while hits may not be stored yet. */
	readonly lastDay: { readonly hits: number; readonly usual: number } | undefined;
	/** Counts of the collector in the last 24 hours; undefined if another process collects. */
	readonly collected: { readonly accepted: number; readonly rejected: number } | undefined;
}
