import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import type { StatsDeps } from "./deps.ts";
import { notCompared } from "./explain.ts";
import { readingReports, readingShared } from "./guard.ts";
import { BadDates } from "./list-schemas.ts";
import { propertyBreakdown, propertyKeys, propertyValues } from "./properties.ts";
import {
	PropertyBreakdownAnswer,
	PropertyBreakdownQuery,
	PropertyKeysAnswer,
	PropertyKeysQuery,
	PropertyValuesAnswer,
	PropertyValuesQuery,
} from "./properties-schemas.ts";

/** Registers the routes about the properties of events. */
export function registerProperties(app: App, deps: StatsDeps): void {
	app.route({
		method: "GET",
		url: "/stats/properties/keys",
		config: { guard: readingShared("properties") },
		schema: {
			tags: ["Stats"],
			summary: "Properties of events by name",
			querystring: PropertyKeysQuery,
			response: { 200: PropertyKeysAnswer, 400: BadDates },
		},
		handler: async (request) =>
			success(await propertyKeys(deps, request.site, request.query), notCompared(request.query)),
	});
	app.route({
		method: "GET",
		url: "/stats/properties/values",
		config: { guard: readingReports },
		schema: {
			tags: ["Stats"],
			summary: "Values of a property by source",
			querystring: PropertyValuesQuery,
			response: { 200: PropertyValuesAnswer, 400: BadDates },
		},
		handler: async (request) => propertyValues(deps, request.site, request.query),
	});
	app.route({
		method: "GET",
		url: "/stats/properties/breakdown",
		config: { guard: readingReports },
		schema: {
			tags: ["Stats"],
			summary: "A property's values within each source",
			querystring: PropertyBreakdownQuery,
			response: { 200: PropertyBreakdownAnswer, 400: BadDates },
		},
		handler: async (request) =>
			success(await propertyBreakdown(deps, request.site, request.query), notCompared(request.query)),
	});
}
