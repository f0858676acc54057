import { Type } from "typebox";
import { account, readingAccount } from "../../../access/index.ts";
import { botFlagNames, botFlags } from "../../../analytics/model/bot-flags.ts";
import { todayIn } from "../../../analytics/query/question/resolve-range.ts";
import { suspiciousSessions } from "../../../analytics/query/reports/suspicious-sessions.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { OneOf, Timestamp } from "../../../platform/http/schemas.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import { timestamp } from "../../../platform/lib/timestamp.ts";
import { botOverview } from "./overview.ts";

const flag = () => OneOf(botFlags.map(({ name }) => name));
const score = () => Type.Number({ minimum: 0, maximum: 100 });

const OverviewQuery = Type.Object({
	...account,
	days: Type.Integer({ minimum: 1, maximum: 90, default: 30, description: "Number of days, ending today" }),
});
const SessionsQuery = Type.Object({
	...account,
	min_score: Type.Integer({ minimum: 1, maximum: 100, default: 50, description: "Sessions with a higher score" }),
	limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
});

const Overview = Type.Object({
	period_start: Type.String({ format: "date" }),
	period_end: Type.String({ format: "date" }),
	distribution: Type.Object({
		score_0: Type.Integer(),
		score_1_30: Type.Integer(),
		score_31_60: Type.Integer(),
		score_61_80: Type.Integer(),
		score_81_100: Type.Integer(),
		total_hits: Type.Integer(),
		avg_score: score(),
		suspicious_percentage: Type.Number({ description: "Share of hits with a score above 30" }),
	}),
	top_flags: Type.Array(Type.Object({ flag: flag(), count: Type.Integer(), description: Type.String() }), {
		description: "At most ten, by count",
	}),
	daily_trend: Type.Array(
		Type.Object({
			date: Type.String({ format: "date" }),
			total_hits: Type.Integer(),
			suspicious_hits: Type.Integer(),
			avg_score: score(),
		}),
		{ description: "One point a day, including days without hits" },
	),
});

const Sessions = Type.Array(
	Type.Object({
		session_id: Type.String(),
		max_score: Type.Integer(),
		flags: Type.Array(flag(), { description: "Of all hits of the session" }),
		hit_count: Type.Integer(),
		first_seen: Timestamp(),
		last_seen: Timestamp(),
		user_agent: Type.String({ description: "Stored for suspicious hits only, else empty" }),
		country: Type.String(),
	}),
	{ description: "Of the last seven days, highest score first" },
);

const tags = ["Bot statistics"];
const reading = readingAccount("viewer");

/** Routes on the suspicion of a site's hits. */
export function registerBotStats(app: App, deps: { readonly eventStore: EventStore; readonly clock: Clock }): void {
	addRoute(app, "GET /bot-stats/overview", {
		tags,
		summary: "Suspicion scores of all hits, including those excluded from reports",
		querystring: OverviewQuery,
		guard: reading,
		data: Overview,
		handler: ({ site, query }) => {
			const end = todayIn(site.timezone, deps.clock);
			return botOverview(deps, site.id, { start: end.subtract({ days: query.days - 1 }), end });
		},
	});
	addRoute(app, "GET /bot-stats/suspicious-sessions", {
		tags,
		summary: "The most suspicious sessions of the last seven days",
		querystring: SessionsQuery,
		guard: reading,
		data: Sessions,
		handler: async ({ site, query }) => {
			const wanted = { minScore: query.min_score, limit: query.limit };
			return (await suspiciousSessions(deps, site.id, wanted)).map((session) => ({
				...session,
				flags: [...botFlagNames(session.flags)],
				first_seen: timestamp(session.first_seen),
				last_seen: timestamp(session.last_seen),
			}));
		},
	});
}
