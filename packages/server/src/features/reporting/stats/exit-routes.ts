import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import type { StatsDeps } from "./deps.ts";
import { exitPages } from "./exit-pages.ts";
import { ExitPagesAnswer, ExitPagesQuery } from "./exit-schemas.ts";
import { readingShared } from "./guard.ts";
import { BadDates } from "./list-schemas.ts";

/** Registers `GET /stats/exit-pages`. */
export function registerExitPages(app: App, deps: StatsDeps): void {
	addRoute(app, "GET /stats/exit-pages", {
		tags: ["Stats"],
		summary: "Exit pages: the last pages of visits",
		querystring: ExitPagesQuery,
		guard: readingShared("exit_pages"),
		answer: ExitPagesAnswer,
		errors: { 400: BadDates },
		handler: async (request) => exitPages(deps, request.site, request.query),
	});
}
