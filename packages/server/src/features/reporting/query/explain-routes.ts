import type { App } from "../../../platform/http/app.ts";
import { asking, type QueryDeps } from "./asking.ts";
import { explainChange } from "./explain-change.ts";
import { ExplainAnswer, ExplainBody, ExplainParameters } from "./explain-schemas.ts";
import { BadQuery } from "./schemas.ts";

/** Registers `POST /stats/explain`. */
export function registerExplainedChange(app: App, deps: QueryDeps): void {
	app.route({
		method: "POST",
		url: "/stats/explain",
		config: { guard: { ...asking, oauth: "delegated" } },
		schema: {
			tags: ["Stats"],
			summary: "Which values moved a metric",
			querystring: ExplainParameters,
			body: ExplainBody,
			response: { 200: ExplainAnswer, 400: BadQuery },
		},
		handler: async (request) => explainChange(deps, request.site, request),
	});
}
