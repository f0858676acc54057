import { type Static, Type } from "typebox";
import { AccountQuery, account, readingAccount, writingAccount } from "../../../../access/index.ts";
import { ServiceError } from "../../../../platform/errors/service-error.ts";
import { addRoute } from "../../../../platform/http/add-route.ts";
import type { App } from "../../../../platform/http/app.ts";
import { pageOf } from "../../../../platform/http/envelope.ts";
import { Nullable, OneOf, pageFields, paging, Text, Timestamp } from "../../../../platform/http/schemas.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import { numberedPage } from "../../../../platform/metadata/page-of.ts";
import type { WatchDeps } from "../../mail-recipients/index.ts";
import { insightTypes, rulesOf, severities } from "../rules/finding.ts";
import { insightOf, lensFeedback, lensInsights, listInsights, pageOfInsights, type StoredInsight } from "../store.ts";
import { groupInsights, groupings, Insight, presentInsight, readerOf } from "./present.ts";

const tags = ["Insights"];
const reading = { tags, querystring: AccountQuery, guard: readingAccount("viewer") };

const some = <T extends string>(values: readonly T[]) =>
	Type.Optional(Type.Array(OneOf([...values]), { description: "Repeat it to allow several values" }));

const withDismissed = { include_dismissed: Type.Boolean({ default: false }) };

const InsightsQuery = Type.Object({
	...account,
	insight_type: some(insightTypes),
	severity: some(severities),
	unread: Type.Boolean({ default: false }),
	...withDismissed,
	...paging({ pageSize: 50, max: 100 }),
});

const choiceOf = (query: Static<typeof InsightsQuery>) => ({
	rules: query.insight_type && rulesOf(query.insight_type),
	severities: query.severity,
	isUnread: query.unread,
	withDismissed: query.include_dismissed,
});

type Mark = "read" | "unread" | "dismiss";

type Deps = Pick<WatchDeps, "metadata" | "clock">;

async function getInsight({ clock }: Deps, metadata: Metadata, siteId: string, id: string): Promise<StoredInsight> {
	const row = await lensInsights.find(metadata, { id, site_id: siteId, expires_at: { ">": clock.now() } });
	if (row === undefined) throw new ServiceError("not_found", "Insight not found");
	return insightOf(row);
}

/** Marks an insight; a mark that it has already stays as it was. Throws `not_found`. */
function markInsight(deps: Deps, siteId: string, id: string, mark: Mark): Promise<StoredInsight> {
	const nowMs = deps.clock.now();
	return deps.metadata.transaction().execute(async (trx) => {
		const { row } = await getInsight(deps, trx, siteId, id);
		await lensInsights.update(
			trx,
			{ id },
			{
				...(mark === "unread" ? { read_at: null } : { read_at: row.read_at ?? nowMs }),
				...(mark === "dismiss" && { dismissed_at: row.dismissed_at ?? nowMs }),
			},
		);
		return getInsight(deps, trx, siteId, id);
	});
}

const FeedbackBody = Type.Object({
	feedback_type: OneOf(["helpful", "not_helpful", "incorrect", "already_known"]),
	comment: Type.Optional(Nullable(Text(0, 1000))),
});

async function giveFeedback(
	deps: Deps,
	{ siteId, userId }: { readonly siteId: string; readonly userId: number },
	id: string,
	{ feedback_type, comment = null }: Static<typeof FeedbackBody>,
): Promise<void> {
	await deps.metadata.transaction().execute(async (trx) => {
		const { row } = await getInsight(deps, trx, siteId, id);
		const verdict = { feedback_type, comment, created_at: deps.clock.now() };
		const given = { insight_id: id, site_id: siteId, user_id: userId, rule: row.rule, ...verdict };
		// In place of what the user thought before.
		await lensFeedback.upsert(trx, given, ["insight_id", "user_id"], verdict);
	});
}

const marks: readonly (readonly [mark: Mark, summary: string])[] = [
	["read", "Mark an insight as read, for all users"],
	["unread", "Mark an insight as unread, for all users"],
	["dismiss", "Dismiss an insight; it does not return as long as its cause lasts"],
];

export function registerInsights(app: App, deps: WatchDeps): void {
	addRoute(app, "GET /lens/insights", {
		...reading,
		summary: "Insights of a site: the most severe first, then the newest",
		querystring: InsightsQuery,
		answer: Type.Object({ insights: Type.Array(Insight), ...pageFields }),
		handler: async (request) => {
			const { page, page_size: pageSize } = request.query;
			const choice = { siteId: request.site.id, nowMs: deps.clock.now(), ...choiceOf(request.query) };
			const { rows, total } = await pageOfInsights(deps.metadata, choice, numberedPage(page, pageSize));
			const reader = await readerOf(deps, request);
			const { data: insights, ...paging } = pageOf(
				rows.map((row) => presentInsight(insightOf(row), reader)),
				{ total, page, pageSize },
			);
			return { insights, ...paging };
		},
	});
	addRoute(app, "GET /lens/insights/summary", {
		...reading,
		summary: "Number of insights, without dismissed ones",
		answer: Type.Object({
			total_count: Type.Integer(),
			unread_count: Type.Integer(),
			red_count: Type.Integer(),
			yellow_count: Type.Integer(),
			green_count: Type.Integer(),
			has_critical: Type.Boolean({ description: "Whether a critical one is unread" }),
		}),
		handler: async (request) => {
			const rows = await listInsights(deps.metadata, { siteId: request.site.id, nowMs: deps.clock.now() });
			const count = (severity: string) => rows.filter((row) => row.severity === severity).length;
			return {
				total_count: rows.length,
				unread_count: rows.filter((row) => row.read_at === null).length,
				red_count: count("red"),
				yellow_count: count("yellow"),
				green_count: count("green"),
				has_critical: rows.some((row) => row.severity === "red" && row.read_at === null),
			};
		},
	});
	addRoute(app, "GET /lens/insights/grouped", {
		...reading,
		summary: "Insights grouped by rule, type, or value",
		querystring: Type.Object({
			...account,
			group_by: OneOf(groupings, { default: "source_rule" }),
			...withDismissed,
		}),
		answer: Type.Object({
			groups: Type.Array(
				Type.Object({
					group_key: Type.String(),
					group_title: Type.String(),
					insight_type: OneOf(insightTypes),
					max_severity: OneOf(severities),
					insight_count: Type.Integer(),
					unread_count: Type.Integer(),
					total_economic_impact: Nullable(Type.Number()),
					latest_insight: Insight,
					related_entities: Type.Array(Type.String()),
					first_detected_at: Timestamp(),
					last_detected_at: Timestamp(),
				}),
			),
			total_groups: Type.Integer(),
		}),
		handler: async (request) => {
			const { group_by: by, include_dismissed: withDismissed } = request.query;
			const choice = { siteId: request.site.id, nowMs: deps.clock.now(), withDismissed };
			const insights = (await listInsights(deps.metadata, choice)).map(insightOf);
			const groups = groupInsights(insights, by, await readerOf(deps, request), request.site.name);
			return { groups, total_groups: groups.length };
		},
	});
	const one = { ...reading, params: Type.Object({ id: Type.String({ format: "uuid" }) }) };
	const writing = writingAccount("editor");
	addRoute(app, "GET /lens/insights/:id", {
		...one,
		summary: "One insight",
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
		answer: Type.Object({ success: Type.Boolean() }),
		handler: async (request) => {
			const by = { siteId: request.site.id, userId: request.caller.userId };
			await giveFeedback(deps, by, request.params.id, request.body);
			return { success: true };
		},
	});
}
