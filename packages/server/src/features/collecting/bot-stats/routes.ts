import { readingAccount } from "../../../access/index.ts";
import { todayIn } from "../../../analytics/query/question/resolve-range.ts";
import { suspiciousSessions } from "../../../analytics/query/reports/suspicious-sessions.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { Success } from "../../../platform/http/schemas.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import { botOverview } from "./overview.ts";
import { presentOverview, presentSession } from "./present.ts";
import { Overview, OverviewQuery, Sessions, SessionsQuery } from "./schemas.ts";

interface BotStatsDeps {
	readonly eventStore: EventStore;
	readonly clock: Clock;
}

const tags = ["Bot statistics"];
const reading = readingAccount("viewer");

/** Routes on the suspicion of a site's hits. */
export function registerBotStats(app: App, deps: BotStatsDeps): void {
	app.route({
		method: "GET",
		url: "/bot-stats/overview",
		schema: {
			tags,
			summary: "Suspicion scores of all hits, those that reports leave out included",
			querystring: OverviewQuery,
			response: { 200: Success(Overview) },
		},
		config: { guard: reading },
		handler: async ({ site, query }) => {
			const end = todayIn(site.timezone, deps.clock);
			const range = { start: end.subtract({ days: query.days - 1 }), end };
			return success(presentOverview(await botOverview(deps, site.id, range)));
		},
	});
	app.route({
		method: "GET",
		url: "/bot-stats/suspicious-sessions",
		schema: {
			tags,
			summary: "The most suspicious sessions of the last seven days",
			querystring: SessionsQuery,
			response: { 200: Success(Sessions) },
		},
		config: { guard: reading },
		handler: async ({ site, query }) => {
			const wanted = { minScore: query.min_score, limit: query.limit };
			return success((await suspiciousSessions(deps, site.id, wanted)).map(presentSession));
		},
	});
}
