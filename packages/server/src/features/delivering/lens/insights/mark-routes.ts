import { AccountQuery, readingAccount, writingAccount } from "../../../../access/index.ts";
import { addRoute } from "../../../../platform/http/add-route.ts";
import type { App } from "../../../../platform/http/app.ts";
import type { LensDeps } from "../deps.ts";
import { readerOf } from "../reader.ts";
import { getInsight, giveFeedback, type Mark, markInsight } from "./mark-insight.ts";
import { presentInsight } from "./present.ts";
import { FeedbackBody, FeedbackTaken, Insight, InsightParams } from "./schemas.ts";

const tags = ["Insights"];
const reading = readingAccount("viewer");
const writing = writingAccount("editor");

const marks: readonly (readonly [mark: Mark, summary: string])[] = [
	["read", "Mark an insight as read, for all users"],
	["unread", "Mark an insight as unread, for all users"],
	["dismiss", "Dismiss an insight; it does not return as long as its cause lasts"],
];

/** Routes on one insight. */
export function registerMarks(app: App, deps: LensDeps): void {
	const one = { tags, params: InsightParams, querystring: AccountQuery };
	addRoute(app, "GET /lens/insights/:id", {
		...one,
		summary: "One insight",
		guard: reading,
		answer: Insight,
		handler: async (request) =>
			presentInsight(
				await getInsight(deps, deps.metadata, request.site.id, request.params.id),
				await readerOf(deps, request),
			),
	});
	for (const [mark, summary] of marks) {
		addRoute(app, `PATCH /lens/insights/:id/${mark}`, {
			...one,
			summary,
			guard: writing,
			answer: Insight,
			handler: async (request) =>
				presentInsight(
					await markInsight(deps, request.site.id, request.params.id, mark),
					await readerOf(deps, request),
				),
		});
	}
	addRoute(app, "POST /lens/insights/:id/feedback", {
		...one,
		summary: "Rate an insight; the last rating of each user counts",
		body: FeedbackBody,
		guard: writing,
		status: 201,
		answer: FeedbackTaken,
		handler: async (request) => {
			const { feedback_type: type, comment = null } = request.body;
			const by = { siteId: request.site.id, userId: request.caller.userId };
			await giveFeedback(deps, by, request.params.id, { type, comment });
			return { success: true };
		},
	});
}
