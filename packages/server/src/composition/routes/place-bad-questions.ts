import { placedFault } from "../../analytics/query/question/bad-question.ts";
import type { App } from "../../platform/http/app.ts";
import { sendError } from "../../platform/http/error-handler.ts";

/** Makes a 422 of a fault that only the engine finds in a question, such as in an expression. Before the routes of the scope are registered. */
export function placeBadQuestions(scope: App): void {
	scope.setErrorHandler((error, request, reply) =>
		sendError(placedFault(request.method === "GET" ? "query" : "body", error), request, reply),
	);
}
