import { addDays } from "../../lib/days.ts";
import { baselineOf } from "../../ui/change/baseline.ts";
import { sinceText } from "../../ui/change/change.tsx";
import { asChange, longestRange, type SearchChange, useReport } from "../site/index.ts";
import { t } from "./texts.ts";

/** A day before any data: in a comparison with it, the answer tells the site's first day with data, imports included. */
const longAgo = "1970-01-01";

/** The first day with data of a site; undefined without any, and until it is known. */
export function useFirstDay(site: string | undefined): {
	readonly first: string | undefined;
	readonly isKnown: boolean;
} {
	const { data } = useReport(
		"GET /stats/overview",
		{
			site_id: site ?? "",
			period: "today",
			series: ["entrances"],
			compare: "custom",
			compare_start: longAgo,
			compare_end: longAgo,
		},
		site !== undefined,
	);
	return { first: baselineOf(data), isKnown: data !== undefined };
}

/** A period from the first data of a site on. */
interface AllTime {
	readonly name: string;
	/** The first day with data, in words; undefined until it is known. */
	readonly since: string | undefined;
	/** Undefined without data. */
	readonly change: SearchChange | undefined;
}

/** From the first data of a site to today; the longest range instead where there are data before it. */
export function useAllTime(site: string | undefined, today: string): AllTime {
	const { first, isKnown } = useFirstDay(site);
	const earliest = addDays(today, 1 - longestRange);
	const since = first === undefined ? t.noData : sinceText(first);
	const isCut = first !== undefined && first < earliest;
	const all: SearchChange = { period: "all", from: first, to: undefined };
	return {
		name: isCut ? t.longest(longestRange) : t.periods.all,
		since: isKnown ? since : undefined,
		change: first === undefined ? undefined : isCut ? asChange({ from: earliest, to: today }, today) : all,
	};
}
