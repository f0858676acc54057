import type { SkipReason } from "./formats/format.ts";

/** Which days of a file count: decided once, before its rows are written. */
export interface DayPlan {
	/** Bounds that the user gave, `YYYY-MM-DD`; null = none. */
	readonly from: string | null;
	readonly to: string | null;
	/** The first day that the site still keeps, and its today. */
	readonly earliest: string;
	readonly today: string;
	/** Days with hits of the site's own. */
	readonly own: readonly string[];
	/** Days that another import has brought. */
	readonly imported: readonly string[];
}

/** Why a day does not count; undefined when it does. */
export type DayRules = (date: string) => Extract<SkipReason, "malformed" | "out_of_range" | "overlap"> | undefined;

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Prepares the rules; each day is judged once. */
export function dayRules({ from, to, earliest, today, own }: DayPlan): DayRules {
	const ownDays = new Set(own);
	const judge: DayRules = (date) => {
		if (!isDate(date)) return "malformed";
		if (date < earliest || date > today) return "out_of_range";
		if ((from !== null && date < from) || (to !== null && date > to)) return "out_of_range";
		return ownDays.has(date) ? "overlap" : undefined;
	};
	const known = new Map<string, ReturnType<DayRules>>();
	return (date) => {
		const before = known.get(date);
		if (before !== undefined || known.has(date)) return before;
		const verdict = judge(date);
		// There are not many days; texts that are none may be endless.
		if (verdict !== "malformed") known.set(date, verdict);
		return verdict;
	};
}

function isDate(text: string): boolean {
	return DATE.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.slice(0, 10) === text;
}
