import { addDays, daysBetween } from "../../lib/days.ts";
import type { Period, SiteSearch } from "./search.ts";

/** A range of days, both counted. */
export interface Days {
	readonly from: string;
	readonly to: string;
}

const lastDays = (today: string, count: number): Days => ({ from: addDays(today, 1 - count), to: today });
const weekday = (day: string): number => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
const [year, month] = [(day: string) => Number(day.slice(0, 4)), (day: string) => Number(day.slice(5, 7))];

/** The first day of a month; months count on over the ends of years. */
const firstOf = (years: number, months: number): string =>
	new Date(Date.UTC(years, months - 1, 1)).toISOString().slice(0, 10);

function months(today: string, start: number, length: number): Days {
	const years = year(today);
	return { from: firstOf(years, start), to: addDays(firstOf(years, start + length), -1) };
}

function week(today: string, ago: number): Days {
	const from = addDays(today, -weekday(today) - 7 * ago);
	return { from, to: addDays(from, 6) };
}

const quarter = (today: string): number => month(today) - ((month(today) - 1) % 3);

const rangeOf: Readonly<Record<Period, (today: string) => Days>> = {
	today: (today) => lastDays(today, 1),
	yesterday: (today) => lastDays(addDays(today, -1), 1),
	"7d": (today) => lastDays(today, 7),
	"30d": (today) => lastDays(today, 30),
	"90d": (today) => lastDays(today, 90),
	"12m": (today) => lastDays(today, 365),
	this_week: (today) => week(today, 0),
	last_week: (today) => week(today, 1),
	this_month: (today) => months(today, month(today), 1),
	last_month: (today) => months(today, month(today) - 1, 1),
	this_quarter: (today) => months(today, quarter(today), 3),
	last_quarter: (today) => months(today, quarter(today) - 3, 3),
	this_year: (today) => months(today, 1, 12),
	last_year: (today) => months(today, -11, 12),
};

/** The days of a period, for the calls that name them; `today` is that of the site. The server reads periods alike. */
export const daysOf = ({ period, from, to }: Pick<SiteSearch, "period" | "from" | "to">, today: string): Days =>
	period === "custom" || period === "all" ? { from: from ?? today, to: to ?? today } : rangeOf[period](today);

/** The same day of the year before; 29 February becomes 28. */
function yearBefore(day: string): string {
	const text = `${year(day) - 1}${day.slice(4)}`;
	return text.endsWith("-02-29") ? `${text.slice(0, 8)}28` : text;
}

/** The days that a range is compared with; undefined without a comparison. */
export function comparedDays(
	{ compare, cfrom, cto }: Pick<SiteSearch, "compare" | "cfrom" | "cto">,
	{ from, to }: Days,
): Days | undefined {
	switch (compare) {
		case "none":
			return undefined;
		case "custom":
			return { from: cfrom ?? from, to: cto ?? to };
		case "yoy":
			return { from: yearBefore(from), to: yearBefore(to) };
		case "yoy_weekday":
			return { from: addDays(from, -364), to: addDays(to, -364) };
		case "previous":
			return { from: addDays(from, -daysBetween(from, to)), to: addDays(from, -1) };
	}
}
