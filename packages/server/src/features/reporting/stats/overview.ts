import { type Static, Type } from "typebox";
import { allMetrics, distinctOf, type Measures, type Metric, metricNames } from "../../../analytics/catalog/metrics.ts";
import { type Figure, figureOf, metricsFor, ratio } from "../../../analytics/catalog/rates.ts";
import { readsRows } from "../../../analytics/query/engine/compile.ts";
import { runReport } from "../../../analytics/query/engine/run.ts";
import {
	addDecimals,
	autoGranularity,
	type Granularity,
	type Point,
	seriesDimensions,
	seriesPoints,
	sumRows,
} from "../../../analytics/query/engine/series.ts";
import { type DateRange, daysIn, endsBefore } from "../../../analytics/query/question/date-range.ts";
import { ofVisits } from "../../../analytics/query/question/reading.ts";
import type { ReportQuery, ReportRow } from "../../../analytics/query/question/report-query.ts";
import { baselineStart } from "../../../analytics/query/reports/site-days.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { success } from "../../../platform/http/envelope.ts";
import { OneOf, Success } from "../../../platform/http/schemas.ts";
import { Numbers } from "./list-schemas.ts";
import { commonParameters } from "./parameters.ts";
import { parseRequest, type StatsDeps, type StatsSite } from "./parse.ts";
import { conversionColumns, Days, presentNumbers, presentRange, trafficColumns } from "./present.ts";

/** The metrics that come as series unless others are asked for. */
const usualSeries: readonly Metric[] = [...metricNames, "visitors"];

const seriesFigures = [...usualSeries, "bounce_rate", "conversion_rate"] as const satisfies readonly Figure[];

export const OverviewQuery = Type.Object({
	...commonParameters,
	granularity: Type.Optional(
		OneOf(["auto", "hourly", "daily", "weekly", "monthly"], {
			description:
				"Adds series; `auto`: hourly when both periods are one day each, else daily; hourly for at most 92 days; weeks start on Monday",
		}),
	),
	series: Type.Optional(
		Type.Array(OneOf(seriesFigures), {
			description: "Metrics of the series; default: all except the rates. Repeat it",
		}),
	),
});

export type OverviewQuery = Static<typeof OverviewQuery>;

const Traffic = Type.Object(Numbers(trafficColumns));
const Conversions = Type.Object(Numbers(conversionColumns));

const SeriesAnswer = Type.Object({
	metric: OneOf(seriesFigures),
	points: Type.Array(
		Type.Object({
			date: Type.String({ format: "date", description: "For weeks and months: the first day within the range" }),
			hour: Type.Optional(Type.Integer({ minimum: 0, maximum: 23 })),
			day_of_week: Type.Optional(Type.Integer({ minimum: 1, maximum: 7, description: "1 Monday to 7 Sunday" })),
			value: Type.Number(),
		}),
	),
	total: Type.Number({ description: "For the whole range; hourly visitors add up to more" }),
	average: Type.Number({ description: "Per point, rounded to 2 decimals" }),
});

const series = Object.fromEntries(
	seriesFigures.flatMap((name) => [
		[`${name}_series`, Type.Optional(SeriesAnswer)],
		[`${name}_series_compare`, Type.Optional(SeriesAnswer)],
	]),
);

export const OverviewAnswer = Success(
	Type.Object({
		date_range: Days,
		traffic: Traffic,
		conversions: Conversions,
		traffic_change: Type.Optional(Traffic),
		conversions_change: Type.Optional(Conversions),
		...series,
	}),
);

/** A series with the total of its range and the mean of its points, 2 decimals. */
function presentSeries(metric: Figure, points: readonly Point[], total: number) {
	const sum = addDecimals(points.map((point) => point.value));
	return { metric, points, total, average: ratio(sum, points.length) };
}

type Series = readonly (readonly [Figure, ReturnType<typeof presentSeries>])[];

const MOST_HOURLY_DAYS = 92;

interface SeriesWanted {
	readonly granularity: Granularity;
	readonly figures: readonly Figure[];
}

const distinct: readonly Figure[] = distinctOf(allMetrics);

/** Sums of hours are precomputed; visitors of an hour are counted from its rows. */
async function findHours(deps: StatsDeps, query: ReportQuery, { figures }: SeriesWanted) {
	const byHour = { ...query, dimensions: seriesDimensions.hourly };
	const [sums, counts] = await Promise.all([
		runReport(deps, { ...byHour, metrics: metricNames }),
		figures.some((name) => distinct.includes(name))
			? runReport(deps, { ...byHour, metrics: distinctOf(allMetrics) })
			: [],
	]);
	return { sums, distinct: counts };
}

/** The figures of a range: days add up to its totals; hours do not, as a visitor may be there in several. */
function figuresOf(
	{ daily, hourly }: Awaited<ReturnType<typeof findRows>>,
	range: DateRange,
	wanted: SeriesWanted | undefined,
): { readonly totals: Measures; readonly series: Series } {
	const [start, end] = [range.start.toString(), range.end.toString()];
	const inRange = daily.filter(({ date = "" }) => start <= String(date) && String(date) <= end);
	const totals = sumRows(inRange, allMetrics);
	if (wanted === undefined) return { totals, series: [] };
	const series = wanted.figures.map((figure) => {
		const rows = (distinct.includes(figure) ? hourly?.distinct : hourly?.sums) ?? daily;
		const points = seriesPoints(rows, range, wanted.granularity, (own) =>
			figureOf(figure, sumRows(own, metricsFor([figure]))),
		);
		return [figure, presentSeries(figure, points, figureOf(figure, totals))] as const;
	});
	return { totals, series };
}

/** True where no projection holds whole days under these conditions. */
const readsDays = ({ metrics, conditions }: ReportQuery): boolean =>
	readsRows({ metrics, conditions, dimensions: seriesDimensions.daily });

/** The days of a range, and of an earlier one. Where a projection holds whole days, only a last one that is cut is made of rows. */
async function findDays(deps: StatsDeps, query: ReportQuery): Promise<readonly ReportRow[]> {
	const byDay = { ...query, dimensions: seriesDimensions.daily };
	const { start, until } = query.range;
	if (until === undefined || readsDays(query)) return runReport(deps, byDay);
	const ranges = [
		{ start, end: until.day.subtract({ days: 1 }) },
		{ start: until.day, end: until.day, until },
	];
	const parts = ranges.filter((range) => daysIn(range) > 0).map((range) => runReport(deps, { ...byDay, range }));
	return (await Promise.all(parts)).flat();
}

async function findRows(deps: StatsDeps, query: ReportQuery, wanted: SeriesWanted | undefined) {
	const [daily, hourly] = await Promise.all([
		findDays(deps, query),
		wanted?.granularity === "hourly" ? findHours(deps, query, wanted) : undefined,
	]);
	return { daily, hourly };
}

/** Totals, with a granularity series; those of an earlier range too, which the same statement asks if it reads no more by that. */
async function findFigures(deps: StatsDeps, query: ReportQuery, wanted: SeriesWanted | undefined) {
	const { earlier: range, ...current } = query;
	const isApart = range?.until !== undefined && !(endsBefore(range, query.range) && readsDays(query));
	const finding = findRows(deps, isApart ? current : query, wanted);
	const findingEarlier = isApart ? findRows(deps, { ...current, range }, wanted) : finding;
	const [found, foundEarlier] = await Promise.all([finding, findingEarlier]);
	return {
		current: figuresOf(found, query.range, wanted),
		...(range && { earlier: figuresOf(foundEarlier, range, wanted) }),
	};
}

const named = (series: Series, suffix: string) =>
	Object.fromEntries(series.map(([metric, body]) => [`${metric}${suffix}`, body]));

/** The series that a request asks for, by itself or with a comparison. 400 for hours of more than 92 days. */
function seriesWanted(query: OverviewQuery, ranges: readonly DateRange[]): SeriesWanted | undefined {
	const { series } = query;
	const asked = query.granularity ?? (series || ranges.length > 1 ? "auto" : undefined);
	if (asked === undefined) return undefined;
	const granularity = asked === "auto" ? autoGranularity(ranges) : asked;
	if (granularity === "hourly" && ranges.some((range) => daysIn(range) > MOST_HOURLY_DAYS)) {
		throw new ServiceError(
			"bad_request",
			`A series by the hour covers at most ${MOST_HOURLY_DAYS} days: choose fewer, or granularity=daily`,
		);
	}
	return { granularity, figures: series ? seriesFigures.filter((name) => series.includes(name)) : usualSeries };
}

/** The headline figures of a site; series with `granularity`, `series` or `compare`, the earlier period with `compare`. 400 for hours of more than 92 days. */
export async function overview(deps: StatsDeps, site: StatsSite, query: OverviewQuery) {
	const { comparison, ...request } = await parseRequest(deps, site, query, ofVisits);
	const question: ReportQuery = {
		...request,
		dimensions: [],
		metrics: allMetrics,
		...(comparison && { earlier: comparison }),
	};
	const ranges = [request.range, ...(comparison ? [comparison] : [])];
	const [{ current, earlier }, meta] = await Promise.all([
		findFigures(deps, question, seriesWanted(query, ranges)),
		baselineStart(deps, { ...request, comparison }),
	]);
	const data = {
		date_range: presentRange(request.range),
		traffic: presentNumbers(current.totals, trafficColumns),
		conversions: presentNumbers(current.totals, conversionColumns),
		...(earlier && {
			traffic_change: presentNumbers(earlier.totals, trafficColumns),
			conversions_change: presentNumbers(earlier.totals, conversionColumns),
		}),
		...named(current.series, "_series"),
		...(earlier && named(earlier.series, "_series_compare")),
	};
	return success(data, meta);
}
