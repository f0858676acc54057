import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import type { StatsDeps } from "./deps.ts";
import { readingReports } from "./guard.ts";
import { BadDates } from "./list-schemas.ts";
import { rawConversionPage, rawItemPage, rawMicroconversionPage } from "./raw-rows.ts";
import { RawClickQuery, RawConversions, RawItems, RawMicroconversions, RawQuery } from "./raw-schemas.ts";

/** Registers the routes that give events as they were stored. */
export function registerRawRows(app: App, deps: StatsDeps): void {
	addRoute(app, "GET /stats/conversions/raw", {
		tags: ["Stats"],
		summary: "List of conversions",
		querystring: RawClickQuery,
		guard: readingReports,
		answer: RawConversions,
		errors: { 400: BadDates },
		handler: async (request) => rawConversionPage(deps, request.site, request.query),
	});
	addRoute(app, "GET /stats/microconversions/raw", {
		tags: ["Stats"],
		summary: "List of microconversions of the last two years",
		querystring: RawQuery,
		guard: readingReports,
		answer: RawMicroconversions,
		errors: { 400: BadDates },
		handler: async (request) => rawMicroconversionPage(deps, request.site, request.query),
	});
	addRoute(app, "GET /stats/conversion-items/raw", {
		tags: ["Stats"],
		summary: "List of items of conversions of the last two years",
		querystring: RawClickQuery,
		guard: readingReports,
		answer: RawItems,
		errors: { 400: BadDates },
		handler: async (request) => rawItemPage(deps, request.site, request.query),
	});
}
