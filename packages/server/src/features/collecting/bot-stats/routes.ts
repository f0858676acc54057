import { Type } from "typebox";
import { account, readingAccount } from "../../../access/index.ts";
import { percentage, ratio } from "../../../analytics/catalog/rates.ts";
import { type BotFlag, botFlagNames, botFlags } from "../../../analytics/model/bot-flags.ts";
import { type DateRange, eachDay } from "../../../analytics/query/question/date-range.ts";
import { todayIn } from "../../../analytics/query/question/resolve-range.ts";
import {
	type BotDay,
	botStatistics,
	type FlagSet,
	suspiciousSessions,
} from "../../../analytics/query/reports/bot-hits.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { OneOf, Timestamp } from "../../../platform/http/schemas.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import { timestamp } from "../../../platform/lib/timestamp.ts";

const flag = () => OneOf(botFlags.map(({ name }) => name));
const score = () => Type.Number({ minimum: 0, maximum: 100 });

const bands = ["score_0", "score_1_30", "score_31_60", "score_61_80", "score_81_100"] as const;
const byScore = <Value>(of: (band: (typeof bands)[number]) => Value) =>
	Object.fromEntries(bands.map((band) => [band, of(band)])) as Record<(typeof bands)[number], Value>;

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
		...byScore(() => Type.Integer()),
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

const TOP_FLAGS = 10;

/** Distribution, most frequent flags and daily trend of a site's hits, days without hits included. */
async function botOverview(deps: { readonly eventStore: EventStore }, siteId: string, range: DateRange) {
	const { days, flagSets } = await botStatistics(deps, siteId, range);
	const byDate = new Map(days.map((day) => [day.date, day]));
	return {
		period_start: range.start.toString(),
		period_end: range.end.toString(),
		distribution: distribution(days),
		top_flags: topFlags(flagSets),
		daily_trend: eachDay(range).map((date) => {
			const day = byDate.get(date.toString());
			return {
				date: date.toString(),
				total_hits: day?.total_hits ?? 0,
				suspicious_hits: day === undefined ? 0 : suspiciousHits(day),
				avg_score: ratio(day?.score_sum ?? 0, day?.total_hits ?? 0),
			};
		}),
	};
}

const suspiciousHits = (day: BotDay): number => day.score_31_60 + day.score_61_80 + day.score_81_100;

function distribution(days: readonly BotDay[]) {
	const sum = (of: (day: BotDay) => number) => days.reduce((total, day) => total + of(day), 0);
	const total_hits = sum((day) => day.total_hits);
	return {
		...byScore((band) => sum((day) => day[band])),
		total_hits,
		avg_score: ratio(
			sum((day) => day.score_sum),
			total_hits,
		),
		suspicious_percentage: percentage(sum(suspiciousHits), total_hits),
	};
}

function topFlags(flagSets: readonly FlagSet[]) {
	const counts = new Map<BotFlag, number>();
	for (const { flags, hits } of flagSets) {
		for (const flag of botFlagNames(flags)) counts.set(flag, (counts.get(flag) ?? 0) + hits);
	}
	return botFlags
		.map(({ name, description }) => ({ flag: name, count: counts.get(name) ?? 0, description }))
		.filter(({ count }) => count > 0)
		.sort((a, b) => b.count - a.count || (a.flag < b.flag ? -1 : 1))
		.slice(0, TOP_FLAGS);
}
