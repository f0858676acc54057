import { type Fact, wallClock } from "./oracle-facts.ts";
import type { Asked, AskedComparison } from "./oracle-request.ts";

/** First and last day, `YYYY-MM-DD`. */
export type Days = readonly [string, string];

const utc = (day: string) => new Date(`${day}T00:00:00Z`);
const text = (date: Date) => date.toISOString().slice(0, 10);

export function shift(day: string, days: number): string {
	const date = utc(day);
	date.setUTCDate(date.getUTCDate() + days);
	return text(date);
}

export function listDays([first, last]: Days): string[] {
	const days: string[] = [];
	for (let day = first; day <= last; day = shift(day, 1)) days.push(day);
	return days;
}

/** 1 Monday to 7 Sunday. */
export function weekday(day: string): number {
	return utc(day).getUTCDay() || 7;
}

function months(year: number, month: number, count: number): Days {
	return [text(new Date(Date.UTC(year, month, 1))), text(new Date(Date.UTC(year, month + count, 0)))];
}

function periodDays(period: string, today: string): Days {
	const year = utc(today).getUTCFullYear();
	const month = utc(today).getUTCMonth();
	const quarter = month - (month % 3);
	const monday = shift(today, 1 - weekday(today));
	const known: Record<string, Days> = {
		today: [today, today],
		yesterday: [shift(today, -1), shift(today, -1)],
		"7d": [shift(today, -6), today],
		"30d": [shift(today, -29), today],
		"90d": [shift(today, -89), today],
		"12m": [shift(today, -364), today],
		this_week: [monday, shift(monday, 6)],
		last_week: [shift(monday, -7), shift(monday, -1)],
		this_month: months(year, month, 1),
		last_month: months(year, month - 1, 1),
		this_quarter: months(year, quarter, 3),
		last_quarter: months(year, quarter - 3, 3),
		this_year: months(year, 0, 12),
		last_year: months(year - 1, 0, 12),
		wtd: [monday, today],
		mtd: [months(year, month, 1)[0], today],
		qtd: [months(year, quarter, 3)[0], today],
		ytd: [months(year, 0, 12)[0], today],
	};
	const days = known[period];
	if (days === undefined) throw new Error(`The oracle does not know the period ${period}`);
	return days;
}

export function askedDays(asked: Pick<Asked, "dates" | "timezone">, now: number): Days {
	const today = wallClock(now, asked.timezone).date;
	if ("period" in asked.dates) return periodDays(asked.dates.period, today);
	const { start, end = today } = asked.dates;
	return [start ?? shift(end, -29), end];
}

function yearBefore(day: string): string {
	const earlier = `${Number(day.slice(0, 4)) - 1}${day.slice(4)}`;
	return earlier.endsWith("02-29") ? earlier.replace("02-29", "02-28") : earlier;
}

export function comparedDays([first, last]: Days, mode: AskedComparison): Days {
	if (typeof mode === "object") return mode;
	if (mode === "yoy_weekday") return [shift(first, -364), shift(last, -364)];
	if (mode === "yoy") return [yearBefore(first), yearBefore(last)];
	return [shift(first, -listDays([first, last]).length), shift(first, -1)];
}

type Comparing = Pick<Asked, "timezone" | "compare" | "elapsed">;

/** The facts that come before the hour of now on the day that corresponds to today; all of them unless a running range is cut. */
export function elapsedFacts(facts: readonly Fact[], days: Days, asked: Comparing, now: number): readonly Fact[] {
	const { compare } = asked;
	const { date: today, hour } = wallClock(now, asked.timezone);
	const passed = listDays(days).indexOf(today);
	if (!asked.elapsed || compare === undefined || passed < 0) return facts;
	const compared = comparedDays(days, compare);
	if (typeof compare === "object" && listDays(compared).length !== listDays(days).length) return facts;
	const last = compare === "yoy" ? yearBefore(today) : shift(compared[0], passed);
	return facts.filter((fact) => fact.date < last || (fact.date === last && fact.hour < hour));
}

/** The site's first day with facts, where earlier days begin before it. */
export function baselineStart(
	facts: readonly Fact[],
	{ site, imports }: { readonly site: string; readonly imports?: Asked["imports"] },
	[start]: Days,
): { baseline_start?: string } {
	const counted = facts.filter((fact) => fact.site === site && (imports !== "exclude" || fact.imported === undefined));
	const [first] = counted.map(({ date }) => date).sort();
	return first === undefined || first <= start ? {} : { baseline_start: first };
}
