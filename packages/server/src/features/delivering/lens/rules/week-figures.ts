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

interface Value {
	readonly value: string;
	readonly sums: Sums;
}

const none = Object.fromEntries(lookedAt.map((name) => [name, 0])) as Sums;

/**
 * The values of two weeks side by side, those with the most visits before first. A value that a full list does not name has
 * at most as many visits as the last one that it names: it counts as that many, so that nothing is said to have ended that was cut off.
 */
export function joinParts({ now, before }: Compared<readonly Value[]>, most: number): Part[] {
	const last = now.length < most ? 0 : (now.at(-1)?.sums.entrances ?? 0);
	const found = new Map(now.map(({ value, sums }) => [value, sums]));
	const known = new Set(before.map(({ value }) => value));
	const begun = now.filter(({ value }) => !known.has(value));
	return [
		...before.map(({ value, sums }) => ({
			value,
			now: found.get(value) ?? { ...none, entrances: last },
			before: sums,
		})),
		...begun.map(({ value, sums }) => ({ value, now: sums, before: none })),
	];
}
