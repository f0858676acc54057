import type { App } from "../../../platform/http/app.ts";
import type { StatsDeps } from "./deps.ts";
import { exitPages } from "./exit-pages.ts";
import { ExitPagesAnswer, ExitPagesQuery } from "./exit-schemas.ts";
import { readingShared } from "./guard.ts";
import { BadDates } from "./list-schemas.ts";

/** Registers `GET /stats/exit-pages`. */
export function registerExitPages(app: App, deps: StatsDeps): void {
	app.route({
		method: "GET",
		url: "/stats/exit-pages",
		config: { guard: readingShared("exit_pages") },
		schema: {
			tags: ["Stats"],
			summary: "The pages on which visits ended",
			querystring: ExitPagesQuery,
			response: { 200: ExitPagesAnswer, 400: BadDates },
		},
		handler: async (request) => exitPages(deps, request.site, request.query),
	});
}
