import type { App } from "../../../platform/http/app.ts";
import type { StatsDeps } from "./deps.ts";
import { readingReports } from "./guard.ts";
import { BadDates } from "./list-schemas.ts";
import { rawConversionPage, rawItemPage, rawMicroconversionPage } from "./raw-rows.ts";
import { RawClickQuery, RawConversions, RawItems, RawMicroconversions, RawQuery } from "./raw-schemas.ts";

/** Registers the routes that give events as they were stored. */
export function registerRawRows(app: App, deps: StatsDeps): void {
	app.route({
		method: "GET",
		url: "/stats/conversions/raw",
		config: { guard: readingReports },
		schema: {
			tags: ["Stats"],
			summary: "Conversions one by one",
			querystring: RawClickQuery,
			response: { 200: RawConversions, 400: BadDates },
		},
		handler: async (request) => rawConversionPage(deps, request.site, request.query),
	});
	app.route({
		method: "GET",
		url: "/stats/microconversions/raw",
		config: { guard: readingReports },
		schema: {
			tags: ["Stats"],
			summary: "Microconversions one by one, of the last two years",
			querystring: RawQuery,
			response: { 200: RawMicroconversions, 400: BadDates },
		},
		handler: async (request) => rawMicroconversionPage(deps, request.site, request.query),
	});
	app.route({
		method: "GET",
		url: "/stats/conversion-items/raw",
		config: { guard: readingReports },
		schema: {
			tags: ["Stats"],
			summary: "Items of conversions one by one, of the last two years",
			querystring: RawClickQuery,
			response: { 200: RawItems, 400: BadDates },
		},
		handler: async (request) => rawItemPage(deps, request.site, request.query),
	});
}
