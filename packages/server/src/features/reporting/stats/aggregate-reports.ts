import { type Static, type TSchema, Type } from "typebox";
import type { Guard } from "../../../access/index.ts";
import { type Metric, metricNames } from "../../../analytics/catalog/metrics.ts";
import { metricsFor } from "../../../analytics/catalog/rates.ts";
import { runAcross, runBySite } from "../../../analytics/query/engine/run.ts";
import { addDecimals, type Point, seriesPoints, sumRows } from "../../../analytics/query/engine/series.ts";
import type { DateRange } from "../../../analytics/query/question/date-range.ts";
import { ofVisits, type Reading, readingOf } from "../../../analytics/query/question/reading.ts";
import type { ReportQuery } from "../../../analytics/query/question/report-query.ts";
import { comparisonNames } from "../../../analytics/query/question/resolve-comparison.ts";
import { baselineStart } from "../../../analytics/query/reports/site-days.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { pageOf, success } from "../../../platform/http/envelope.ts";
import { errorAnswers } from "../../../platform/http/error-answers.ts";
import { Nullable, OneOf, Page, paging, Success } from "../../../platform/http/schemas.ts";
import type { SiteDirectory } from "../../tenancy/sites/index.ts";
import { Numbers, Row } from "./list-schemas.ts";
import { commonParameters } from "./parameters.ts";
import { parseRequest, type StatsDeps, type StatsQuery } from "./parse.ts";
import { conversionColumns, Days, orderOf, presentNumbers, presentRow } from "./present.ts";
import { type AggregateShape, aggregateTraffic, type ListReport, listReports, type RowShape, same } from "./reports.ts";

const comparing = ["compare", "compare_start", "compare_end", "compare_align"] as const;
const { properties: comparisonParameters } = Type.Pick(Type.Object(commonParameters), comparing);
const { properties: filters } = Type.Omit(Type.Object(commonParameters), ["site_id", "account_id", ...comparing]);

/** Parameters of every report over several sites. */
const sharedParameters = {
	account_ids: Type.Array(Type.String(), {
		description: "Slugs of two or more sites; repeat it. Dates are in the time zone of the first one",
	}),
	...filters,
};
const AggregateQuery = Type.Object(sharedParameters);
type AggregateQuery = Static<typeof AggregateQuery>;

const ListQuery = ({ sortBy }: RowShape) =>
	Type.Object({
		...sharedParameters,
		...paging({ pageSize: 50, max: 100 }),
		sort_by: OneOf([...sortBy], { default: sortBy[0] }),
		sort_order: OneOf(["asc", "desc"], { default: "desc" }),
	});
type ListQuery = Static<ReturnType<typeof ListQuery>>;

const accountCount = { account_count: Type.Integer({ description: "Number of sites that count in this row" }) };

const ListAnswer = (shape: AggregateShape): TSchema =>
	Page(
		Type.Object({
			...Row(shape).properties,
			...Object.fromEntries((shape.empty ?? []).map((field) => [field, Nullable(Type.String())])),
			...accountCount,
		}),
	);

export interface AggregateDeps extends StatsDeps {
	readonly sites: Pick<SiteDirectory, "get">;
}

const guard: Guard = { kind: "session", scope: "read", superadmin: true };

/** Parts that the routes of reports over several sites share. */
const aggregateRoute = {
	tags: ["Stats"],
	guard,
	errors: errorAnswers("bad_request", "account_not_found", "not_found"),
};

/** A request over several sites. */
interface AcrossRequest {
	/** Refuses it for sites whose IP allowlist shuts out its address. */
	refuseShutSites(siteIds: readonly string[]): Promise<void>;
}

/** Reads a request over several sites, each of them once, in the order given. 400 for fewer than two, 404 for unknown and shut ones. */
async function parseAcross(
	deps: AggregateDeps,
	request: AcrossRequest,
	query: StatsQuery & AggregateQuery,
	reading: Reading,
) {
	await request.refuseShutSites(query.account_ids);
	const ids = [...new Set(query.account_ids)];
	const [first, ...others] = ids.map((id) => {
		const site = deps.sites.get(id);
		if (site === undefined) throw new ServiceError("account_not_found");
		return site;
	});
	if (first === undefined || others.length === 0) {
		throw new ServiceError("bad_request", { message: "account_ids must name at least two different sites" });
	}
	return { ...(await parseRequest(deps, { ...first, share: null }, query, reading)), site: ids };
}

const devices: RowShape = { ...aggregateTraffic, key: { name: "device_type" }, share: true };

/** The report over several sites; undefined where there is none. */
const aggregateShape = ({ key, named, columns, sortBy, aggregate }: ListReport): AggregateShape | undefined =>
	aggregate && { key, ...(named && { named }), columns, sortBy, ...aggregate };

export function registerAggregateLists(app: App, deps: AggregateDeps): void {
	const questionOf = async (request: AcrossRequest, shape: RowShape, query: AggregateQuery): Promise<ReportQuery> => ({
		...(await parseAcross(deps, request, query, readingOf(Object.values(shape.key)))),
		dimensions: [...new Set(Object.values(shape.key))],
		metrics: metricsFor(Object.values(shape.columns)),
	});
	addRoute(app, "GET /stats/aggregate/devices", {
		...aggregateRoute,
		summary: "Traffic by device type, over several sites",
		querystring: AggregateQuery,
		data: Type.Array(Row(devices)) as TSchema,
		handler: async (request) => {
			const { rows } = await runAcross(deps, await questionOf(request, devices, request.query));
			const entrances = addDecimals(rows.map((row) => row.entrances));
			return rows
				.toSorted((one, other) => other.entrances - one.entrances)
				.map((row) => presentRow(devices, row, { entrances }));
		},
	});
	for (const report of listReports) {
		const shape = aggregateShape(report);
		if (shape === undefined) continue;
		const empty = Object.fromEntries((shape.empty ?? []).map((field) => [field, null]));
		addRoute(app, `GET ${report.url.replace("/stats", "/stats/aggregate")}`, {
			...aggregateRoute,
			summary: `${report.summary}, over several sites`,
			querystring: ListQuery(shape),
			answer: ListAnswer(shape),
			handler: async (request) => {
				const query = request.query as ListQuery;
				const { page, page_size: pageSize } = query;
				const { rows, totalRows: total } = await runAcross(deps, await questionOf(request, shape, query), {
					order: orderOf(shape, query),
					limit: pageSize,
					offset: (page - 1) * pageSize,
				});
				const presented = rows.map((row) => ({
					...presentRow(shape, row, { unique: { account_count: row.account_count } }),
					...empty,
				}));
				return pageOf(presented, { total, page, pageSize });
			},
		});
	}
}

const accountColumns = same(...metricNames, "bounce_rate", "conversion_rate");
const trafficColumns = same(...metricNames, "bounce_rate", "pages_per_session", "conversion_rate");

const seriesMetrics = ["entrances", "page_views", "conversions"] as const satisfies readonly Metric[];

const AggregateOverviewQuery = Type.Object({
	...sharedParameters,
	...comparisonParameters,
	compare: OneOf([...comparisonNames, "none"], { default: "none" }),
	include_series: Type.Boolean({ default: true, description: "Adds daily series" }),
	include_per_account: Type.Boolean({ default: false, description: "Adds the figures of each site" }),
});
type AggregateOverviewQuery = Static<typeof AggregateOverviewQuery>;

const { days: _, ...bounds } = Days.properties;
const Bounds = Type.Object(bounds);
const Series = Type.Object({
	metric: Type.String(),
	points: Type.Array(Type.Object({ date: Type.String({ format: "date" }), value: Type.Number() })),
	total: Type.Number(),
});

const AggregateOverviewAnswer: TSchema = Success(
	Type.Object({
		account_ids: Type.Array(Type.String()),
		account_count: Type.Integer(),
		date_range: Bounds,
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
		comparison: Type.Optional(Type.Object({ date_range: Bounds, ...Numbers(accountColumns) })),
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
