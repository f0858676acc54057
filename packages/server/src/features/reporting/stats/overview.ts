import { type Measures, type Metric, metricNames } from "../../../analytics/catalog/metrics.ts";
import { runReport, runTotals } from "../../../analytics/query/engine/run.ts";
import {
	autoGranularity,
	type Granularity,
	seriesDimensions,
	seriesPoints,
	sumRows,
} from "../../../analytics/query/engine/series.ts";
import { comparisonRange, type DateRange } from "../../../analytics/query/question/date-range.ts";
import type { ReportQuery, ReportRow } from "../../../analytics/query/question/report-query.ts";
import type { StatsDeps } from "./deps.ts";
import type { OverviewQuery } from "./overview-schemas.ts";
import { parseRequest, type StatsSite } from "./parse.ts";
import { presentConversions, presentRange, presentSeries, presentTraffic } from "./present.ts";

interface Figures {
	readonly totals: Measures;
	readonly series: readonly (readonly [Metric, ReturnType<typeof presentSeries>])[];
}

/** The sums of the rows of some days, and the series that they are the sums of. */
function figuresOf(rows: readonly ReportRow[], range: DateRange, granularity: Granularity): Figures {
	const series = metricNames.map((metric) => {
		const points = seriesPoints(metric, rows, range, granularity);
		return [metric, presentSeries(metric, points)] as const;
	});
	const [start, end] = [range.start.toString(), range.end.toString()];
	const inRange = rows.filter(({ date = "" }) => start <= String(date) && String(date) <= end);
	return { totals: sumRows(inRange, metricNames), series };
}

/** With a granularity totals and series, else totals; those of an earlier range too, which the same statement asks. */
async function findFigures(
	deps: StatsDeps,
	query: ReportQuery,
	granularity: Granularity | undefined,
): Promise<{ readonly current: Figures; readonly earlier?: Figures }> {
	if (granularity === undefined) return { current: { totals: await runTotals(deps, query), series: [] } };
	const rows = await runReport(deps, { ...query, dimensions: seriesDimensions[granularity] });
	return {
		current: figuresOf(rows, query.range, granularity),
		...(query.earlier && { earlier: figuresOf(rows, query.earlier, granularity) }),
	};
}

const named = (series: Figures["series"], suffix: string) =>
	Object.fromEntries(series.map(([metric, body]) => [`${metric}${suffix}`, body]));

/** The headline figures of a site; series with `granularity` or `compare`, the earlier period with `compare`. */
export async function overview(deps: StatsDeps, site: StatsSite, query: OverviewQuery) {
	const { comparison, ...request } = await parseRequest(deps, site, query, "landing_page");
	const question: ReportQuery = {
		...request,
		dimensions: [],
		metrics: metricNames,
		...(comparison && { earlier: comparisonRange(request.range, comparison) }),
	};
	const asked = query.granularity ?? (comparison && "auto");
	const granularity = asked === "auto" ? autoGranularity(request.range) : asked;
	const { current, earlier } = await findFigures(deps, question, granularity);
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
