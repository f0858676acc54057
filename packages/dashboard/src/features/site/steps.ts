import { addDays, daysBetween } from "../../lib/days.ts";
import { type Days, daysOf } from "./range.ts";
import { periods, type SearchChange, type SiteSearch } from "./search.ts";

/** True while the days have come but not gone: their figures still grow. */
export const isRunning = ({ from, to }: Days, today: string): boolean => from <= today && today <= to;

/** So many months from the first day of one, which may count on over the ends of years. */
function monthsFrom(day: string, offset: number, count: number): Days {
	const date = (month: number, of: number) =>
		new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1 + month, of)).toISOString().slice(0, 10);
	return { from: date(offset, 1), to: date(offset + count, 0) };
}

/** How many whole months the days are; undefined when they are none. */
function wholeMonths({ from, to }: Days): number | undefined {
	const months =
		(Number(to.slice(0, 4)) - Number(from.slice(0, 4))) * 12 + Number(to.slice(5, 7)) - Number(from.slice(5, 7));
	return from.endsWith("-01") && monthsFrom(from, 0, months + 1).to === to ? months + 1 : undefined;
}

/** True for days from a Monday to the Sunday of the same week. */
const isWeek = ({ from, to }: Days) => new Date(from).getUTCDay() === 1 && to === addDays(from, 6);

function shifted(days: Days, by: 1 | -1): Days {
	const months = wholeMonths(days);
	if (months !== undefined) return monthsFrom(days.from, by * months, months);
	const length = by * daysBetween(days.from, days.to);
	return { from: addDays(days.from, length), to: addDays(days.to, length) };
}

/** The change of the address for some dates: the name of the period, if it has one. */
export function asChange({ from, to }: Days, today: string): SearchChange {
	const named = periods.find((period) => {
		const days = daysOf({ period }, today);
		return days.from === from && days.to === to;
	});
	return named === undefined ? { period: "custom", from, to } : { period: named, from: undefined, to: undefined };
}

/**
 * As many days before or after; whole months, quarters and years stay whole. Days to come are left out.
 * @returns undefined where there is nothing but days to come, and for all time.
 */
export function stepped(
	search: Pick<SiteSearch, "period" | "from" | "to">,
	by: 1 | -1,
	today: string,
): SearchChange | undefined {
	if (search.period === "all") return undefined;
	const next = shifted(daysOf(search, today), by);
	if (next.from > today) return undefined;
	const isCut = next.to > today && wholeMonths(next) === undefined && !isWeek(next);
	return asChange(isCut ? { from: addDays(today, 1 - daysBetween(next.from, next.to)), to: today } : next, today);
}
