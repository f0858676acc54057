import { addRoute } from "../../../platform/http/add-route.ts";
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
	addRoute(app, "GET /stats/properties/keys", {
		tags: ["Stats"],
		summary: "Names of event properties",
		querystring: PropertyKeysQuery,
		guard: readingShared("properties"),
		answer: PropertyKeysAnswer,
		errors: { 400: BadDates },
		handler: async (request) =>
			success(await propertyKeys(deps, request.site, request.query), notCompared(request.query)),
	});
	addRoute(app, "GET /stats/properties/values", {
		tags: ["Stats"],
		summary: "Values of a property, with their sources",
		querystring: PropertyValuesQuery,
		guard: readingReports,
		answer: PropertyValuesAnswer,
		errors: { 400: BadDates },
		handler: async (request) => propertyValues(deps, request.site, request.query),
	});
	addRoute(app, "GET /stats/properties/breakdown", {
		tags: ["Stats"],
		summary: "Values of a property, with their sources",
		querystring: PropertyBreakdownQuery,
		guard: readingReports,
		answer: PropertyBreakdownAnswer,
		errors: { 400: BadDates },
		handler: async (request) =>
			success(await propertyBreakdown(deps, request.site, request.query), notCompared(request.query)),
	});
}
