import type { Static } from "typebox";
import { AccountQuery, readingAccount, writingAccount } from "../../../../access/index.ts";
import { ServiceError } from "../../../../platform/errors/service-error.ts";
import { addRoute } from "../../../../platform/http/add-route.ts";
import type { App } from "../../../../platform/http/app.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import type { LensDeps } from "../deps.ts";
import {
	findInsight,
	insightOf,
	type Insight as StoredInsight,
	storeFeedback,
	updateInsight,
} from "./insights-store.ts";
import { presentInsight, readerOf } from "./present.ts";
import { FeedbackBody, FeedbackTaken, Insight, InsightParams } from "./schemas.ts";

type Mark = "read" | "unread" | "dismiss";

type Deps = Pick<LensDeps, "metadata" | "clock">;

async function getInsight({ clock }: Deps, metadata: Metadata, siteId: string, id: string): Promise<StoredInsight> {
	const row = await findInsight(metadata, { siteId, nowMs: clock.now() }, id);
	if (row === undefined) throw new ServiceError("not_found", { message: "Insight not found" });
	return insightOf(row);
}

/** Marks an insight; a mark that it has already stays as it was. Throws `not_found`. */
function markInsight(deps: Deps, siteId: string, id: string, mark: Mark): Promise<StoredInsight> {
	const nowMs = deps.clock.now();
	return deps.metadata.transaction().execute(async (trx) => {
		const { row } = await getInsight(deps, trx, siteId, id);
		await updateInsight(trx, id, {
			...(mark === "unread" ? { read_at: null } : { read_at: row.read_at ?? nowMs }),
			...(mark === "dismiss" && { dismissed_at: row.dismissed_at ?? nowMs }),
		});
		return getInsight(deps, trx, siteId, id);
	});
}

/** Notes what a user thinks of an insight. Throws `not_found`. */
async function giveFeedback(
	deps: Deps,
	{ siteId, userId }: { readonly siteId: string; readonly userId: number },
	id: string,
	{ feedback_type, comment = null }: Static<typeof FeedbackBody>,
): Promise<void> {
	await deps.metadata.transaction().execute(async (trx) => {
		const { row } = await getInsight(deps, trx, siteId, id);
		await storeFeedback(trx, {
			insight_id: id,
			site_id: siteId,
			user_id: userId,
			rule: row.rule,
			feedback_type,
			comment,
			created_at: deps.clock.now(),
		});
	});
}

const tags = ["Insights"];
const reading = readingAccount("viewer");
const writing = writingAccount("editor");

const marks: readonly (readonly [mark: Mark, summary: string])[] = [
	["read", "Mark an insight as read, for all users"],
	["unread", "Mark an insight as unread, for all users"],
	["dismiss", "Dismiss an insight; it does not return as long as its cause lasts"],
];

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
			const by = { siteId: request.site.id, userId: request.caller.userId };
			await giveFeedback(deps, by, request.params.id, request.body);
			return { success: true };
		},
	});
}
