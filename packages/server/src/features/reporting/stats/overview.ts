import { allMetrics, type Measures, type Metric } from "../../../analytics/catalog/metrics.ts";
import { comparedTo, runReport } from "../../../analytics/query/engine/run.ts";
import {
	autoGranularity,
	type Granularity,
	seriesDimensions,
	seriesPoints,
	sumRows,
} from "../../../analytics/query/engine/series.ts";
import type { ReportQuery } from "../../../analytics/query/question/report-query.ts";
import type { StatsDeps } from "./deps.ts";
import { type OverviewQuery, overviewSeries } from "./overview-schemas.ts";
import { parseRequest, type StatsSite } from "./parse.ts";
import { presentConversions, presentRange, presentSeries, presentTraffic } from "./present.ts";

interface Figures {
	readonly totals: Measures;
	readonly series: readonly (readonly [Metric, ReturnType<typeof presentSeries>])[];
}

/** Totals, and with a granularity the series. Days add up to the totals; hours do not: a visitor may be there in several. */
async function figures(deps: StatsDeps, query: ReportQuery, granularity: Granularity | undefined): Promise<Figures> {
	const [daily, hourly] = await Promise.all([
		runReport(deps, { ...query, dimensions: seriesDimensions.daily }),
		granularity === "hourly" ? runReport(deps, { ...query, dimensions: seriesDimensions.hourly }) : undefined,
	]);
	const totals = sumRows(daily, allMetrics);
	if (granularity === undefined) return { totals, series: [] };
	const series = overviewSeries.map((metric) => {
		const points = seriesPoints(metric, hourly ?? daily, query.range, granularity);
		return [metric, presentSeries(metric, points, totals[metric])] as const;
	});
	return { totals, series };
}

const named = (series: Figures["series"], suffix: string) =>
	Object.fromEntries(series.map(([metric, body]) => [`${metric}${suffix}`, body]));

/** The headline figures of a site; series with `granularity` or `compare`, the earlier period with `compare`. */
export async function overview(deps: StatsDeps, site: StatsSite, query: OverviewQuery) {
	const { comparison, ...request } = await parseRequest(deps, site, query, "landing_page");
	const question: ReportQuery = { ...request, dimensions: [], metrics: allMetrics };
	const asked = query.granularity ?? (comparison && "auto");
	const granularity = asked === "auto" ? autoGranularity(request.range) : asked;
	const [current, earlier] = await Promise.all([
		figures(deps, question, granularity),
		comparison && figures(deps, comparedTo(question, comparison), granularity),
	]);
	return {
		date_range: presentRange(request.range),
		traffic: presentTraffic(current.totals),
		conversions: presentConversions(current.totals),
		...(earlier && {
			traffic_change: presentTraffic(earlier.totals),
			conversions_change: presentConversions(earlier.totals),
		}),
		...named(current.series, "_series"),
		...(earlier && named(earlier.series, "_series_compare")),
	};
}
