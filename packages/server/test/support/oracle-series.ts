import { type Days, listDays, shift, weekday } from "./oracle-dates.ts";
import type { Fact } from "./oracle-facts.ts";
import { figures, rounded } from "./oracle-figures.ts";

/** The metrics that come as series when none are named. */
export const seriesNames = [
	"entrances",
	"engaged_entrances",
	"page_views",
	"conversions",
	"microconversions",
	"revenue",
	"visitors",
];

interface SeriesAsked {
	readonly width: "hourly" | "daily" | "weekly" | "monthly";
	readonly names: readonly string[] | undefined;
}

/** The day that stands for a day: itself, or the first of its week or month that is not before the range. */
function standsFor(day: string, [first]: Days, width: SeriesAsked["width"]): string {
	if (width === "hourly" || width === "daily") return day;
	const start = width === "weekly" ? shift(day, 1 - weekday(day)) : `${day.slice(0, 7)}-01`;
	return start < first ? first : start;
}

/** The series over some days, of facts of these days. */
export function seriesOf(
	facts: readonly Fact[],
	days: Days,
	{ width, names = seriesNames }: SeriesAsked,
	suffix: string,
) {
	const hours = width === "hourly" ? Array.from({ length: 24 }, (_, hour) => hour) : [undefined];
	const dates = [...new Set(listDays(days).map((day) => standsFor(day, days, width)))];
	const points = dates.flatMap((date) => hours.map((hour) => ({ date, hour })));
	const series = names.map((metric) => {
		const at = points.map((point) => {
			const members = facts.filter(
				(fact) =>
					standsFor(fact.date, days, width) === point.date && (point.hour === undefined || fact.hour === point.hour),
			);
			const value = figures(members)[metric] ?? Number.NaN;
			return width === "hourly" ? { ...point, day_of_week: weekday(point.date), value } : { date: point.date, value };
		});
		const sum = at.reduce((all, { value }) => all + Math.round(value * 10_000), 0);
		const average = rounded(sum, points.length * 10_000, 1);
		return [`${metric}_series${suffix}`, { metric, points: at, total: figures(facts)[metric], average }] as const;
	});
	return Object.fromEntries(series);
}
