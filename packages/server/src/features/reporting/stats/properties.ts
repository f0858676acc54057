import { type Static, Type } from "typebox";
import { ofEvents } from "../../../analytics/query/question/reading.ts";
import {
	propertyTables,
	runPropertyBreakdown,
	runPropertyKeys,
	runPropertyValues,
} from "../../../analytics/query/reports/property-reports.ts";
import { baselineStart } from "../../../analytics/query/reports/site-days.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { pageOf, success } from "../../../platform/http/envelope.ts";
import { OneOf, paging, Success } from "../../../platform/http/schemas.ts";
import { commonParameters, ownParameters } from "./parameters.ts";
import { parseRequest, type StatsDeps, type StatsSite } from "./parse.ts";
import { presentSpan, span } from "./present.ts";
import { CountedPage, notCompared, pageMeta, reportRoute, sharedRoute } from "./report-route.ts";

const table = {
	table: OneOf([...propertyTables], {
		default: "both",
		description: "Type of the events; `both`: conversions and microconversions",
	}),
};

const propertyKey = { property_key: Type.String({ minLength: 1, description: "Name of the property" }) };

const PropertyBreakdownQuery = Type.Object({
	...commonParameters,
	...ownParameters.conversionType,
	...propertyKey,
	...table,
});
type PropertyBreakdownQuery = Static<typeof PropertyBreakdownQuery>;

const PropertyValuesQuery = Type.Object({
	...PropertyBreakdownQuery.properties,
	group_by: OneOf(["utm_source", "utm_medium", "utm_campaign", "all"], { default: "utm_source" }),
	...paging({ pageSize: 50, max: 1000 }),
});
type PropertyValuesQuery = Static<typeof PropertyValuesQuery>;

const PropertyValuesAnswer = CountedPage(
	Type.Object({
		property_value: Type.String(),
		utm_source: Type.Optional(Type.String()),
		utm_medium: Type.Optional(Type.String()),
		utm_campaign: Type.Optional(Type.String()),
		conversions_count: Type.Integer(),
		microconversions_count: Type.Integer(),
		revenue: Type.Number(),
	}),
);

const ByValue = (description: string) => Type.Record(Type.String(), Type.Integer(), { description });

const groups = ["utm_source", "utm_medium", "utm_campaign"] as const;

/** One page of a property's values by source, the most frequent first. */
async function propertyValues(deps: StatsDeps, site: StatsSite, query: PropertyValuesQuery) {
	const request = await parseRequest(deps, site, query, ofEvents);
	const { page, page_size: pageSize, group_by: groupBy, table, property_key: key } = query;
	const grouped = groupBy === "all" ? groups : [groupBy];
	const question = { ...request, table, key };
	const { comparison } = request;
	const [{ rows, total }, earlier, began] = await Promise.all([
		runPropertyValues(deps, question, grouped, { limit: pageSize, offset: (page - 1) * pageSize }),
		comparison && runPropertyValues(deps, { ...question, range: comparison }, grouped, { limit: 1, offset: 0 }),
		baselineStart(deps, request),
	]);
	return {
		...pageOf(
			rows.map(({ total_rows: _, ...row }) => row),
			{ total, page, pageSize },
		),
		...(earlier && { comparison: { total: earlier.total } }),
		...pageMeta(began),
	};
}

/** One property by source, with the number of events by value. */
async function propertyBreakdown(deps: StatsDeps, site: StatsSite, query: PropertyBreakdownQuery) {
	const request = await parseRequest(deps, site, query, ofEvents);
	const { table, property_key: key } = query;
	const { values, totalEvents, sources } = await runPropertyBreakdown(deps, { ...request, table, key });
	return {
		property_key: key,
		property_values: values.map(({ property_value }) => property_value),
		total_events: totalEvents,
		...presentSpan(request.range),
		data: [...sources],
		totals: Object.fromEntries(values.map(({ property_value, total }) => [property_value, total])),
	};
}

export function registerProperties(app: App, deps: StatsDeps): void {
	addRoute(app, "GET /stats/properties/keys", {
		...sharedRoute("properties"),
		summary: "Names of event properties",
		querystring: Type.Object({ ...commonParameters, ...ownParameters.conversionType, ...table }),
		answer: Success(
			Type.Array(
				Type.Object({
					key: Type.String(),
					conversions_count: Type.Integer(),
					microconversions_count: Type.Integer(),
					total_count: Type.Integer(),
				}),
			),
		),
		handler: async ({ site, query }) => {
			const scope = await parseRequest(deps, site, query, ofEvents);
			return success(await runPropertyKeys(deps, { ...scope, table: query.table }), notCompared(query));
		},
	});
	addRoute(app, "GET /stats/properties/values", {
		...reportRoute,
		summary: "Values of a property, with their sources",
		querystring: PropertyValuesQuery,
		answer: PropertyValuesAnswer,
		handler: async (request) => propertyValues(deps, request.site, request.query),
	});
	addRoute(app, "GET /stats/properties/breakdown", {
		...reportRoute,
		summary: "Values of a property, with their sources",
		querystring: PropertyBreakdownQuery,
		answer: Success(
			Type.Object({
				property_key: Type.String(),
				property_values: Type.Array(Type.String(), { description: "The 100 most frequent ones" }),
				total_events: Type.Integer({ description: "Events with the property, whatever its value" }),
				...span,
				data: Type.Array(
					Type.Object({
						utm_source: Type.String(),
						utm_medium: Type.String(),
						utm_campaign: Type.String(),
						total: Type.Integer(),
						values: ByValue("Count by value, for the listed values"),
					}),
					{ description: "The 100 sources with the most of these events" },
				),
				totals: ByValue("Count by value, for the listed values"),
			}),
		),
		handler: async (request) =>
			success(await propertyBreakdown(deps, request.site, request.query), notCompared(request.query)),
	});
}
