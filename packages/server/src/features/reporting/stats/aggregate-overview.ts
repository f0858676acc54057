import { type Static, type TSchema, Type } from "typebox";
import { type Metric, metricNames } from "../../../analytics/catalog/metrics.ts";
import { runAcross, runBySite } from "../../../analytics/query/engine/run.ts";
import { addDecimals, type Point, seriesPoints, sumRows } from "../../../analytics/query/engine/series.ts";
import type { DateRange } from "../../../analytics/query/question/date-range.ts";
import { ofVisits } from "../../../analytics/query/question/reading.ts";
import type { ReportQuery } from "../../../analytics/query/question/report-query.ts";
import { comparisonNames } from "../../../analytics/query/question/resolve-comparison.ts";
import { baselineStart } from "../../../analytics/query/reports/site-days.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { OneOf, Success } from "../../../platform/http/schemas.ts";
import {
	type AcrossRequest,
	type AggregateDeps,
	accountCount,
	aggregateRoute,
	comparisonParameters,
	parseAcross,
	sharedParameters,
} from "./aggregate-reports.ts";
import { Numbers } from "./list-schemas.ts";
import { conversionColumns, presentNumbers } from "./present.ts";
import { columns } from "./reports.ts";

const accountColumns = columns(...metricNames, "bounce_rate", "conversion_rate");
const trafficColumns = columns(...metricNames, "bounce_rate", "pages_per_session", "conversion_rate");

const seriesMetrics = ["entrances", "page_views", "conversions"] as const satisfies readonly Metric[];

const AggregateOverviewQuery = Type.Object({
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

const AggregateOverviewAnswer: TSchema = Success(
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

const presentSeries = (metric: Metric, points: readonly Point[]) => ({
	metric,
	points,
	total: addDecimals(points.map(({ value }) => value)),
});

const metrics: readonly Metric[] = [...metricNames, "paid_conversions"];

async function dailySeries(deps: AggregateDeps, query: ReportQuery) {
	const { rows } = await runAcross(deps, { ...query, dimensions: ["date"], metrics: seriesMetrics });
	return seriesMetrics.map((metric) => {
		const points = seriesPoints(rows, query.range, "daily", (own) => sumRows(own, [metric])[metric]);
		return [`${metric}_series`, presentSeries(metric, points)] as const;
	});
}

/** The headline figures of several sites together, and of each when asked for. */
async function aggregateOverview(
	deps: AggregateDeps,
	request: AcrossRequest,
	{ compare, ...query }: AggregateOverviewQuery,
) {
	const asked = { ...query, ...(compare !== "none" && { compare }) };
	const { comparison, ...parsed } = await parseAcross(deps, request, asked, ofVisits);
	const question = { ...parsed, dimensions: [], metrics };
	const [rows, series, earlier, meta] = await Promise.all([
		runBySite(deps, question),
		query.include_series ? dailySeries(deps, question) : [],
		comparison && runBySite(deps, { ...question, range: comparison }),
		baselineStart(deps, { ...parsed, comparison }),
	]);
	const figuresOf = (site: string) => {
		const own = rows.filter((row) => row.site === site);
		return { account_id: site, ...presentNumbers(sumRows(own, metrics), accountColumns) };
	};
	const totals = sumRows(rows, metrics);
	const data = {
		account_ids: parsed.site,
		account_count: parsed.site.length,
		date_range: presentDays(parsed.range),
		traffic: {
			account_count: rows.length,
			...presentNumbers(totals, trafficColumns),
			...(query.include_per_account && { by_account: parsed.site.map(figuresOf) }),
		},
		conversions: presentNumbers(totals, conversionColumns),
		...(comparison &&
			earlier && {
				comparison: {
					date_range: presentDays(comparison),
					...presentNumbers(sumRows(earlier, metrics), accountColumns),
				},
			}),
		...Object.fromEntries(series),
	};
	return success(data, meta);
}

export function registerAggregateOverview(app: App, deps: AggregateDeps): void {
	addRoute(app, "GET /stats/aggregate/overview", {
		...aggregateRoute,
		summary: "Headline figures of several sites",
		querystring: AggregateOverviewQuery,
		answer: AggregateOverviewAnswer,
		handler: async (request) => aggregateOverview(deps, request, request.query),
	});
}
