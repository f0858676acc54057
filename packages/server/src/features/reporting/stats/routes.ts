import { type TSchema, Type } from "typebox";
import type { Dimension } from "../../../analytics/catalog/dimensions.ts";
import type { Filter } from "../../../analytics/catalog/filters.ts";
import { type Metric, metricNames } from "../../../analytics/catalog/metrics.ts";
import { runBothPeriods, runReport, runTop, runTotals } from "../../../analytics/query/engine/run.ts";
import { addDecimals, sumRows } from "../../../analytics/query/engine/series.ts";
import { ofEvents, ofVisits } from "../../../analytics/query/question/reading.ts";
import type { ReportQuery, ReportRow } from "../../../analytics/query/question/report-query.ts";
import { baselineStart } from "../../../analytics/query/reports/site-days.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { Success } from "../../../platform/http/schemas.ts";
import { listReport, topReport } from "./list-report.ts";
import { ListAnswer, ListQuery, Row, TopAnswer, TopQuery } from "./list-schemas.ts";
import { OverviewAnswer, OverviewQuery, overview } from "./overview.ts";
import { commonParameters } from "./parameters.ts";
import { parseRequest, type StatsDeps, type StatsQuery, type StatsSite } from "./parse.ts";
import { presentPart, presentRow, presentSpan, span } from "./present.ts";
import { notCompared, reportRoute, sharedRoute } from "./report-route.ts";
import { listReports, metricColumns, type RowShape, topReports } from "./reports.ts";

const MAX_ROWS = 100;
const MAX_TYPES = 1000;

/** The breakdowns of `/stats/devices` by field, each by the dimension of one column. */
const breakdowns: Readonly<Record<string, readonly [field: string, of: Dimension]>> = {
	by_device: ["device", "device_type"],
	by_browser: ["browser", "browser"],
	by_os: ["os", "os"],
};
const shapeOf = (field: string, of: Dimension): RowShape => ({
	key: { [field]: of },
	columns: metricColumns,
	share: true,
	sortBy: ["entrances"],
});

// The engine sorts texts by their bytes.
const byBytes = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));

/** The rows summed up by each of their dimensions, the values with the most entrances first. */
function presentDevices(rows: readonly ReportRow[]) {
	const entrances = addDecimals(rows.map((row) => row.entrances));
	const lists = Object.entries(breakdowns).map(([name, [field, of]]) => {
		const groups = [...Map.groupBy(rows, (row) => String(row[of]))].map(
			([value, list]): ReportRow => ({ [of]: value, ...sumRows(list, metricNames) }),
		);
		const shown = groups
			.filter((group) => metricNames.some((metric) => group[metric] !== 0))
			.sort((one, other) => other.entrances - one.entrances || byBytes(`${one[of]}`, `${other[of]}`))
			.slice(0, MAX_ROWS);
		return [name, shown.map((group) => presentRow(shapeOf(field, of), group, { entrances }))];
	});
	return Object.fromEntries(lists);
}

/**
 * Device types, browsers and operating systems, the first 100 of each; the earlier ones too with `compare`. All of them are
 * made of one list of the combinations that there are, which are a few hundred.
 */
async function devices(deps: StatsDeps, site: StatsSite, query: StatsQuery) {
	const request = await parseRequest(deps, site, query, ofVisits);
	const dimensions = Object.values(breakdowns).map(([, of]) => of);
	const question: ReportQuery = { ...request, dimensions, metrics: metricNames };
	const { comparison: earlier } = request;
	if (earlier === undefined) return success(presentDevices(await runReport(deps, question)));
	const [{ rows, earlierRows }, meta] = await Promise.all([
		runBothPeriods(deps, question, earlier),
		baselineStart(deps, request),
	]);
	return success({ ...presentDevices(rows), comparison: presentDevices(earlierRows) }, meta);
}

const typeColumns = { count: "microconversions" } as const;
const metrics: readonly Metric[] = ["microconversions"];
const order = [{ by: "microconversions", direction: "desc" }] as const;

/** The lists of one type by field, each with the dimensions of its rows. */
const typeLists: Readonly<Record<string, readonly Dimension[]>> = {
	by_device: ["device_type"],
	by_country: ["country"],
	by_landing_page: ["landing_page"],
	by_source: ["utm_source", "utm_medium"],
};

/** How often one type of microconversion happened and under which dimensions; zeros for a type that never did. */
async function microconversion(deps: StatsDeps, site: StatsSite, type: string, query: StatsQuery) {
	const request = await parseRequest(deps, site, query, ofEvents);
	const only: Filter = { dimension: "conversion_type", operator: "eq", values: [type] };
	const question = { ...request, conditions: [...request.conditions, only], dimensions: [], metrics };
	const [{ microconversions: count }, ...lists] = await Promise.all([
		runTotals(deps, question),
		...Object.values(typeLists).map((dimensions) =>
			runTop(deps, { ...question, dimensions }, { order, limit: MAX_ROWS }),
		),
	]);
	const presented = Object.entries(typeLists).map(([field, dimensions], at) => {
		const list = { key: Object.fromEntries(dimensions.map((name) => [name, name])), columns: typeColumns };
		return [field, (lists[at] ?? []).map((row) => presentPart(list, row, count))];
	});
	return {
		conversion_type: type,
		...presentSpan(request.range),
		totals: { count },
		...Object.fromEntries(presented),
	};
}

/** The types of microconversion that happened, ascending; of more than 1,000 the most frequent. */
async function microconversionTypes(deps: StatsDeps, site: StatsSite, query: StatsQuery): Promise<string[]> {
	const request = await parseRequest(deps, site, query, ofEvents);
	const question = { ...request, dimensions: ["conversion_type"], metrics } as const;
	const rows = await runTop(deps, question, { order, limit: MAX_TYPES });
	return rows.map((row) => String(row.conversion_type)).sort();
}

/** A list for each entry of a table, with at most a hundred rows. */
const listsOf = <T>(table: Readonly<Record<string, T>>, rowOf: (of: T) => TSchema) =>
	Object.fromEntries(
		Object.entries(table).map(([field, of]) => [field, Type.Array(rowOf(of), { maxItems: MAX_ROWS })]),
	);

const deviceLists = listsOf(breakdowns, ([field, of]) => Row(shapeOf(field, of)));
const DevicesAnswer: TSchema = Success(
	Type.Object({
		...deviceLists,
		comparison: Type.Optional(Type.Object(deviceLists, { description: "Only with `compare`" })),
	}),
);
const TypeAnswer = Success(
	Type.Object({
		conversion_type: Type.String(),
		...span,
		totals: Type.Object({ count: Type.Integer() }),
		...listsOf(typeLists, (dimensions) => {
			const labels = Object.fromEntries(dimensions.map((name) => [name, Type.String()]));
			return Type.Object({ ...labels, count: Type.Integer(), percentage: Type.Number() });
		}),
	}),
);

export function registerReports(app: App, deps: StatsDeps): void {
	addRoute(app, "GET /stats/overview", {
		...sharedRoute("overview"),
		summary: "Headline figures of a site",
		querystring: OverviewQuery,
		answer: OverviewAnswer,
		handler: async (request) => overview(deps, request.site, request.query),
	});
	for (const report of listReports) {
		addRoute(app, `GET ${report.url}`, {
			...sharedRoute(report.list),
			summary: report.summary,
			querystring: ListQuery(report),
			answer: ListAnswer(report),
			handler: async (request) => listReport(deps, report, request.site, request.query as ListQuery),
		});
	}
	for (const report of topReports) {
		addRoute(app, `GET ${report.url}`, {
			...sharedRoute(report.list),
			summary: report.summary,
			querystring: TopQuery(report),
			answer: TopAnswer(report),
			handler: async (request) => topReport(deps, report, request.site, request.query as TopQuery),
		});
	}
	const common = { ...reportRoute, querystring: Type.Object(commonParameters) };
	addRoute(app, "GET /stats/devices", {
		...common,
		summary: "Traffic by device type, browser and operating system",
		answer: DevicesAnswer,
		handler: async (request) => devices(deps, request.site, request.query),
	});
	addRoute(app, "GET /stats/microconversions/:type", {
		...common,
		summary: "One type of microconversion",
		params: Type.Object({ type: Type.String({ description: "Type of the event" }) }),
		answer: TypeAnswer,
		handler: async ({ site, params, query }) =>
			success(await microconversion(deps, site, params.type.trim(), query), notCompared(query)),
	});
	addRoute(app, "GET /stats/microconversions-types", {
		...common,
		summary: "Types of microconversion in the period",
		answer: Success(Type.Array(Type.String())),
		handler: async ({ site, query }) => success(await microconversionTypes(deps, site, query), notCompared(query)),
	});
}

/**
 * Patterns of the GET routes that give a report of one site, relative to the API. Neither raw rows nor reports over several
 * sites are among them.
 */
export const siteReports: ReadonlySet<string> = new Set([
	"/stats/overview",
	...[...listReports, ...topReports].map(({ url }) => url),
	"/stats/exit-pages",
	"/stats/devices",
	"/stats/microconversions/:type",
	"/stats/microconversions-types",
	"/stats/funnel",
	"/stats/live",
	"/stats/properties/keys",
	"/stats/properties/values",
	"/stats/properties/breakdown",
]);
