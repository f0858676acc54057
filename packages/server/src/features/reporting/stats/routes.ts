import { type TSchema, Type } from "typebox";
import type { Dimension } from "../../../analytics/catalog/dimensions.ts";
import type { Filter } from "../../../analytics/catalog/filters.ts";
import type { Metric } from "../../../analytics/catalog/metrics.ts";
import { runTop, runTotals } from "../../../analytics/query/engine/run.ts";
import { ofEvents } from "../../../analytics/query/question/reading.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { Success } from "../../../platform/http/schemas.ts";
import type { StatsDeps } from "./deps.ts";
import { deviceShapes, devices } from "./devices.ts";
import { notCompared } from "./explain.ts";
import { reportRoute, sharedRoute } from "./guard.ts";
import { listReport } from "./list-report.ts";
import { ListAnswer, ListQuery, Row, TopAnswer, TopQuery } from "./list-schemas.ts";
import { OverviewAnswer, OverviewQuery, overview } from "./overview.ts";
import { commonParameters } from "./parameters.ts";
import { parseRequest, type StatsQuery, type StatsSite } from "./parse.ts";
import { presentPart } from "./present.ts";
import { listReports } from "./reports.ts";
import { topReport } from "./top-report.ts";
import { topReports } from "./top-reports.ts";

const MAX_NESTED = 100;
const MAX_TYPES = 1000;

const columns = { count: "microconversions" } as const;
const metrics: readonly Metric[] = ["microconversions"];

/** The lists of one type by field, each with what a row of it stands for. */
const typeLists = {
	by_device: { device_type: "device_type" },
	by_country: { country: "country" },
	by_landing_page: { landing_page: "landing_page" },
	by_source: { utm_source: "utm_source", utm_medium: "utm_medium" },
} as const satisfies Record<string, Readonly<Record<string, Dimension>>>;

/** How often one type of microconversion happened and under which dimensions; zeros for a type that never did. */
async function microconversion(deps: StatsDeps, site: StatsSite, type: string, query: StatsQuery) {
	const request = await parseRequest(deps, site, query, ofEvents);
	const only: Filter = { dimension: "conversion_type", operator: "eq", values: [type] };
	const question = { ...request, conditions: [...request.conditions, only], dimensions: [], metrics };
	const order = [{ by: "microconversions", direction: "desc" }] as const;
	const [totals, ...lists] = await Promise.all([
		runTotals(deps, question),
		...Object.entries(typeLists).map(async ([field, key]) => {
			const rows = await runTop(deps, { ...question, dimensions: Object.values(key) }, { order, limit: MAX_NESTED });
			return { field, key, rows };
		}),
	]);
	const count = totals.microconversions;
	const presented = lists.map(({ field, key, rows }) => [
		field,
		rows.map((row) => presentPart({ key, columns }, row, count)),
	]);
	const { start, end } = request.range;
	return {
		conversion_type: type,
		date_from: start.toString(),
		date_to: end.toString(),
		totals: { count },
		...Object.fromEntries(presented),
	};
}

/** The types of microconversion that happened, ascending; of more than 1,000 the most frequent. */
async function microconversionTypes(deps: StatsDeps, site: StatsSite, query: StatsQuery): Promise<string[]> {
	const request = await parseRequest(deps, site, query, ofEvents);
	const order = [{ by: "microconversions", direction: "desc" }] as const;
	const question = { ...request, dimensions: ["conversion_type"], metrics } as const;
	const rows = await runTop(deps, question, { order, limit: MAX_TYPES });
	return rows.map((row) => String(row.conversion_type)).sort();
}

/** Query of a report that takes the common parameters alone. */
const CommonQuery = Type.Object(commonParameters);

const breakdowns = Object.fromEntries(
	Object.entries(deviceShapes).map(([field, shape]) => [field, Type.Array(Row(shape), { maxItems: 100 })]),
);

/** Answer of `/stats/devices`. */
const DevicesAnswer: TSchema = Success(
	Type.Object({
		...breakdowns,
		comparison: Type.Optional(Type.Object(breakdowns, { description: "Only with `compare`" })),
	}),
);

/** The type in `/stats/microconversions/{type}`. */
const TypePath = Type.Object({ type: Type.String({ description: "Type of the event" }) });

const lists = Object.entries(typeLists).map(([field, key]) => {
	const labels = Object.fromEntries(Object.keys(key).map((name) => [name, Type.String()]));
	const part = Type.Object({ ...labels, count: Type.Integer(), percentage: Type.Number() });
	return [field, Type.Array(part, { maxItems: 100 })];
});

/** Answer of `/stats/microconversions/{type}`. */
const TypeAnswer = Success(
	Type.Object({
		conversion_type: Type.String(),
		date_from: Type.String({ format: "date" }),
		date_to: Type.String({ format: "date" }),
		totals: Type.Object({ count: Type.Integer() }),
		...Object.fromEntries(lists),
	}),
);

/** Answer of `/stats/microconversions-types`. */
const TypesAnswer = Success(Type.Array(Type.String()));

/** Registers overview, lists and breakdowns of `/stats/*`. */
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
	registerBreakdowns(app, deps);
}

function registerBreakdowns(app: App, deps: StatsDeps): void {
	addRoute(app, "GET /stats/devices", {
		...reportRoute,
		summary: "Traffic by device type, browser and operating system",
		querystring: CommonQuery,
		answer: DevicesAnswer,
		handler: async (request) => devices(deps, request.site, request.query),
	});
	addRoute(app, "GET /stats/microconversions/:type", {
		...reportRoute,
		summary: "One type of microconversion",
		params: TypePath,
		querystring: CommonQuery,
		answer: TypeAnswer,
		handler: async (request) =>
			success(
				await microconversion(deps, request.site, request.params.type.trim(), request.query),
				notCompared(request.query),
			),
	});
	addRoute(app, "GET /stats/microconversions-types", {
		...reportRoute,
		summary: "Types of microconversion in the period",
		querystring: CommonQuery,
		answer: TypesAnswer,
		handler: async (request) =>
			success(await microconversionTypes(deps, request.site, request.query), notCompared(request.query)),
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
