import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { ReportInput } from "../../api/batch.ts";
import { read } from "../../api/read.ts";
import { timeIn, todayIn } from "../../lib/days.ts";
import {
	comparedDays,
	comparedQuery,
	type Days,
	daysOf,
	isRunning,
	report,
	useSite,
	useSiteSearch,
} from "../site/index.ts";
import type { SiteClock } from "./chart-points.ts";
import { isChartable, type Overview, type SeriesKey, type Step, stepOf } from "./figures.ts";

/** Whether hits of a site arrive, and when the last one did. */
export const useStatus = (id: string) =>
	useQuery({ ...read("GET /sites/{id}/pixel/status", { path: { id } }), refetchInterval: 60_000 });

/** Input and state of the top of the report. */
export interface Asked {
	readonly input: ReportInput<"GET /stats/overview">;
	readonly days: Days;
	readonly daysBefore: Days | undefined;
	readonly step: Step;
	readonly metric: SeriesKey;
	readonly second: SeriesKey | undefined;
	/** The site's clock, where the days hold today. */
	readonly runsUntil: string | undefined;
	readonly clock: SiteClock;
}

const everyMinute = 60_000;

/** Query of the overview for the address, with only the drawn series. */
export function useAsked(): Asked {
	const site = useSite();
	const search = useSiteSearch();
	const [today, time] = [todayIn(site.timezone), timeIn(site.timezone)];
	const days = daysOf(search, today);
	const step = stepOf(search.by, days);
	const metric = isChartable(search.metric) ? search.metric : "entrances";
	const second = isChartable(search.metric2) && search.metric2 !== metric ? search.metric2 : undefined;
	const series = second === undefined ? [metric] : [metric, second];
	return {
		input: { ...comparedQuery(site.id, search), granularity: step, series },
		days,
		daysBefore: comparedDays(search, days),
		step,
		metric,
		second,
		runsUntil: isRunning(days, today) ? time : undefined,
		clock: { today, hour: Number(time.slice(0, 2)) },
	};
}

/** Totals and series of the report; figures that still grow are asked again while somebody looks. */
export function useOverview({ input, runsUntil }: Asked): UseQueryResult<Overview> {
	return useQuery({
		...report("GET /stats/overview", input),
		refetchInterval: runsUntil === undefined ? false : everyMinute,
	});
}
