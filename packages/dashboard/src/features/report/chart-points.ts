import { addDays } from "../../lib/days.ts";
import type { Overview, SeriesKey, Step } from "./figures.ts";

/** The time that a point stands for. */
export interface Stretch {
	/** Its first day. */
	readonly date: string;
	/** Its last day: another one with weeks and months. */
	readonly until: string;
	readonly hour?: number | undefined;
}

/** A point of the chart, a row of its table. */
export interface ChartPoint {
	readonly at: Stretch;
	/** Missing while it is yet to come. */
	readonly now?: number | undefined;
	readonly second?: number | undefined;
	/** The compared point. */
	readonly before?: { readonly at: Stretch; readonly value: number } | undefined;
}

/** Data of a chart. */
export interface ChartData {
	readonly points: readonly ChartPoint[];
	/** The point whose time is not over. */
	readonly unfinished: number | undefined;
}

/** The moment on the site's clock. */
export interface SiteClock {
	readonly today: string;
	readonly hour: number;
}

interface RawPoint {
	readonly date: string;
	readonly hour?: number;
	readonly value: number;
}

/** The last day of what a point stands for, within the range. */
function lastDay(date: string, step: Step, end: string): string {
	if (step === "hourly" || step === "daily") return date;
	const day = new Date(`${date}T00:00:00Z`);
	const last =
		step === "weekly"
			? addDays(date, (7 - day.getUTCDay()) % 7)
			: new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 0)).toISOString().slice(0, 10);
	return last < end ? last : end;
}

const rawSeries = (overview: Overview, key: SeriesKey, which: "series" | "series_compare"): readonly RawPoint[] =>
	overview[`${key}_${which}`]?.points ?? [];

const isToCome = ({ date, hour }: RawPoint, clock: SiteClock): boolean =>
	date > clock.today || (date === clock.today && hour !== undefined && hour > clock.hour);

/**
 * Points of a metric, with those of a second one and of the comparison period. Future points are omitted, and as many
 * of the comparison period if it is compared to the hour, where the API cuts them.
 */
export function chartData(
	overview: Overview,
	asked: {
		readonly metric: SeriesKey;
		readonly second?: SeriesKey | undefined;
		readonly step: Step;
		/** The last of the days before. */
		readonly endBefore?: string | undefined;
	},
	clock: SiteClock,
): ChartData {
	const { start_date, end_date } = overview.date_range;
	const now = rawSeries(overview, asked.metric, "series");
	const before = rawSeries(overview, asked.metric, "series_compare");
	const second = asked.second ? rawSeries(overview, asked.second, "series") : [];
	const endBefore = asked.endBefore ?? end_date;
	const stretch = (point: RawPoint, end: string): Stretch => ({
		date: point.date,
		until: lastDay(point.date, asked.step, end),
		hour: point.hour,
	});
	const points = now.map((point, index): ChartPoint => {
		const at = stretch(point, end_date);
		const earlier = before[index];
		if (isToCome(point, clock)) return { at };
		return {
			at,
			now: point.value,
			...(second[index] && { second: second[index].value }),
			...(earlier && { before: { at: stretch(earlier, endBefore), value: earlier.value } }),
		};
	});
	const last = points.findLastIndex((point) => point.now !== undefined);
	const runs = start_date <= clock.today && clock.today <= end_date;
	return { points, unfinished: runs && last >= 0 ? last : undefined };
}
