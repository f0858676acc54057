import { type Static, type TSchema, Type } from "typebox";
import { type Measures, type Metric, metricNames } from "../../../analytics/catalog/metrics.ts";
import { addDecimals, type Point, seriesPoints, sumRows } from "../../../analytics/query/engine/series.ts";
import type { DateRange } from "../../../analytics/query/question/date-range.ts";
import { ofVisits } from "../../../analytics/query/question/reading.ts";
import { comparisonNames } from "../../../analytics/query/question/resolve-comparison.ts";
import { type AcrossQuery, runAcross, runBySite } from "../../../analytics/query/reports/across-sites.ts";
import { baselineStart } from "../../../analytics/query/reports/baseline-start.ts";
import { success } from "../../../platform/http/envelope.ts";
import { OneOf, Success } from "../../../platform/http/schemas.ts";
import {
	type AggregateDeps,
	accountCount,
	aggregateSites,
	comparisonParameters,
	sharedParameters,
} from "./aggregate-reports.ts";
import { Numbers } from "./list-schemas.ts";
import { parseRequest } from "./parse.ts";
import { conversionColumns, presentNumbers } from "./present.ts";
import { columns } from "./reports.ts";

const accountColumns = columns(...metricNames, "bounce_rate", "conversion_rate");
const trafficColumns = columns(...metricNames, "bounce_rate", "pages_per_session", "conversion_rate");

const seriesMetrics = ["entrances", "page_views", "conversions"] as const satisfies readonly Metric[];

/** Query of the headline figures of several sites. */
export const AggregateOverviewQuery = Type.Object({
	...sharedParameters,
	...comparisonParameters,
	compare: OneOf([...comparisonNames, "none"], { default: "none" }),
	include_series: Type.Boolean({ default: true, description: "Adds daily series" }),
	include_per_account: Type.Boolean({ default: false, description: "Adds the figures of each site" }),
});
type AggregateOverviewQuery = Static<typeof AggregateOverviewQuery>;

const Days = Type.Object({
	start_date: Type.String({ format: "date" }),
	end_date: Type.String({ format: "date" }),
});
const Series = Type.Object({
	metric: Type.String(),
	points: Type.Array(Type.Object({ date: Type.String({ format: "date" }), value: Type.Number() })),
	total: Type.Number(),
});

/** Answer with the headline figures of several sites. */
export const AggregateOverviewAnswer: TSchema = Success(
	Type.Object({
		account_ids: Type.Array(Type.String()),
		account_count: Type.Integer(),
		date_range: Days,
		traffic: Type.Object({
			...accountCount,
			...Numbers(trafficColumns),
			by_account: Type.Optional(
				Type.Array(
					Type.Object({
						account_id: Type.String(),
						...Numbers(accountColumns),
					}),
				),
			),
		}),
		conversions: Type.Object(Numbers(conversionColumns)),
		comparison: Type.Optional(Type.Object({ date_range: Days, ...Numbers(accountColumns) })),
		...Object.fromEntries(seriesMetrics.map((name) => [`${name}_series`, Type.Optional(Series)])),
	}),
);

const presentDays = ({ start, end }: DateRange) => ({ start_date: start.toString(), end_date: end.toString() });

/** The sums of one site, or of all of them. */
interface SiteFigures {
	readonly site: string;
	readonly measures: Measures;
}

/** Everything that the overview of several sites shows. */
interface AggregateFigures {
	readonly accountIds: readonly string[];
	readonly range: DateRange;
	readonly totals: Measures;
	/** Sites that have a count. */
	readonly accountCount: number;
	readonly byAccount: readonly SiteFigures[] | undefined;
	readonly earlier: { readonly range: DateRange; readonly totals: Measures } | undefined;
	readonly series: readonly { readonly metric: Metric; readonly points: readonly Point[] }[];
}

/** The headline figures of several sites. */
function presentAggregate(figures: AggregateFigures) {
	const { accountIds, range, totals, byAccount, earlier, series } = figures;
	return {
		account_ids: accountIds,
		account_count: accountIds.length,
		date_range: presentDays(range),
		traffic: {
			account_count: figures.accountCount,
			...presentNumbers(totals, trafficColumns),
			...(byAccount && {
				by_account: byAccount.map(({ site, measures }) => ({
					account_id: site,
					...presentNumbers(measures, accountColumns),
				})),
			}),
		},
		conversions: presentNumbers(totals, conversionColumns),
		...(earlier && {
			comparison: { date_range: presentDays(earlier.range), ...presentNumbers(earlier.totals, accountColumns) },
		}),
		...Object.fromEntries(series.map(({ metric, points }) => [`${metric}_series`, presentSeries(metric, points)])),
	};
}

const presentSeries = (metric: Metric, points: readonly Point[]) => ({
	metric,
	points,
	total: addDecimals(points.map(({ value }) => value)),
});

const metrics: readonly Metric[] = [...metricNames, "paid_conversions"];

async function dailySeries(deps: AggregateDeps, query: AcrossQuery) {
	const rows = await runAcross(deps, { ...query, dimensions: ["date"], metrics: seriesMetrics });
	return seriesMetrics.map((metric) => ({
		metric,
		points: seriesPoints(rows, query.range, "daily", (own) => sumRows(own, [metric])[metric]),
	}));
}

async function earlierTotals(deps: AggregateDeps, query: AcrossQuery, range: DateRange) {
	return { range, totals: sumRows(await runBySite(deps, { ...query, range }), metrics) };
}

/** The headline figures of several sites together, and of each when asked for. */
export async function aggregateOverview(deps: AggregateDeps, query: AggregateOverviewQuery) {
	const sites = aggregateSites(deps, query.account_ids);
	const { compare, ...rest } = query;
	const asked = { ...rest, ...(compare !== "none" && { compare }) };
	const { range, comparison, conditions } = await parseRequest(deps, sites[0], asked, ofVisits);
	const accountIds = sites.map(({ id }) => id);
	const question: AcrossQuery = { sites: accountIds, range, conditions, dimensions: [], metrics };
	const [rows, series, earlier, meta] = await Promise.all([
		runBySite(deps, question),
		query.include_series ? dailySeries(deps, question) : [],
		comparison && earlierTotals(deps, question, comparison),
		baselineStart(deps, { site: accountIds, comparison, conditions }),
	]);
	const bySite = accountIds.map((site) => ({
		site,
		measures: sumRows(
			rows.filter((row) => row.site === site),
			metrics,
		),
	}));
	const data = presentAggregate({
		accountIds,
		range,
		totals: sumRows(rows, metrics),
		accountCount: rows.length,
		byAccount: query.include_per_account ? bySite : undefined,
		earlier,
		series,
	});
	return success(data, meta);
}
