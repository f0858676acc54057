import type { EventQuery, EventStore } from "../../../platform/event-store/event-store.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import { DAY_MS } from "../../../platform/lib/durations.ts";
import { utcDay } from "../../../platform/lib/timestamp.ts";
import { rowSettings } from "../../catalog/projections.ts";
import { SUSPICIOUS_ABOVE } from "../../model/bot-flags.ts";
import type { DateRange } from "../question/date-range.ts";

// Bands of suspicion scores, both ends included.
const scoreBands = {
	score_0: [0, 0],
	score_1_30: [1, SUSPICIOUS_ABOVE],
	score_31_60: [SUSPICIOUS_ABOVE + 1, 60],
	score_61_80: [61, 80],
	score_81_100: [81, 100],
} as const satisfies Record<string, readonly [number, number]>;

/** Hits of one day by their scores; a day without hits has no row. */
export interface BotDay extends Readonly<Record<keyof typeof scoreBands, number>> {
	/** `YYYY-MM-DD` in the site's time zone. */
	readonly date: string;
	readonly total_hits: number;
	/** Sum of the scores of all hits. */
	readonly score_sum: number;
}

/** Hits that carry exactly this set of flags. */
export interface FlagSet {
	readonly flags: number;
	readonly hits: number;
}

const HITS = `site = {site:String} AND date BETWEEN {start:Date} AND {end:Date}`;

// A hit is in one of two places: in `events` when it counts, else in `bot_hits`. Engaged and item rows go with a hit
// that has a row of its own, and imported rows came from elsewhere.
const COUNTED = `FROM events
	WHERE ${HITS} AND kind IN ('pageview', 'conversion', 'microconversion') AND import_id = ''`;
const LEFT_OUT = `FROM bot_hits
	WHERE ${HITS} AND counted = 0`;

const bands = Object.entries(scoreBands)
	.map(([name, [from, to]]) => `\n\tsumIf(hits, score BETWEEN ${from} AND ${to}) AS ${name},`)
	.join("");

const BY_DAY = `SELECT date,${bands}
	sum(hits) AS total_hits,
	sum(score * hits) AS score_sum
FROM (
	SELECT date, bot_score AS score, 1 AS hits ${COUNTED}
	UNION ALL
	SELECT date, score, hits ${LEFT_OUT}
)
GROUP BY date
ORDER BY date`;

const BY_FLAGS = `SELECT flags, sum(hits) AS hits
FROM (
	SELECT bot_flags AS flags, 1 AS hits ${COUNTED} AND bot_flags != 0
	UNION ALL
	SELECT flags, hits ${LEFT_OUT} AND flags != 0
)
GROUP BY flags
ORDER BY flags`;

/** The hits of a site by day and by the flags that they carry; every hit, whether reports count it or not. */
export async function botStatistics(
	deps: { readonly eventStore: EventStore },
	site: string,
	{ start, end }: DateRange,
) {
	const params = { site, start: start.toString(), end: end.toString() };
	const of = (sql: string): EventQuery => ({ sql, params, settings: rowSettings });
	const [days, flagSets] = await Promise.all([
		deps.eventStore.query<BotDay>(of(BY_DAY)),
		deps.eventStore.query<FlagSet>(of(BY_FLAGS)),
	]);
	return { days, flagSets };
}

/** A session by its most suspicious hit. */
export interface SuspiciousSession {
	/** 64 bits as text: a JavaScript number would round it. */
	readonly session_id: string;
	readonly max_score: number;
	/** All flags that a hit of the session carries. */
	readonly flags: number;
	readonly hit_count: number;
	/** Milliseconds since the Unix epoch. */
	readonly first_seen: number;
	readonly last_seen: number;
	/** Empty when no hit of the session was suspicious enough for its user agent to be kept. */
	readonly user_agent: string;
	readonly country: string;
}

const WINDOW_MS = 7 * 24 * 60 * 60 * 1000;

// The date only narrows the scan: it is local, up to a day away from the UTC date.
const RECENT = `site = {site:String} AND date >= {day:Date} AND ts >= fromUnixTimestamp64Milli({since:Int64}, 'UTC')`;
const RECENTLY_COUNTED = `${RECENT} AND kind IN ('pageview', 'conversion', 'microconversion') AND import_id = ''`;

// Only sessions with a hit above the score are looked at as a whole. A counted hit of `bot_hits` is in `events` too:
// there it is counted and tells the country of the visit, here it tells the user agent.
const SESSIONS = `WITH top AS (
	SELECT session
	FROM (
		SELECT session, bot_score AS score FROM events WHERE ${RECENTLY_COUNTED} AND bot_score > {min_score:UInt8}
		UNION ALL
		SELECT session, score FROM bot_hits WHERE ${RECENT} AND counted = 0 AND score > {min_score:UInt8}
	)
	GROUP BY session
	ORDER BY max(score) DESC, toString(session)
	LIMIT {limit:UInt64}
)
SELECT toString(session) AS session_id,
	max(score) AS max_score,
	groupBitOr(flags) AS flags,
	sum(hits) AS hit_count,
	toUnixTimestamp64Milli(min(first_ts)) AS first_seen,
	toUnixTimestamp64Milli(max(last_ts)) AS last_seen,
	max(agent) AS user_agent,
	argMax(place, (last_ts, hits)) AS country
FROM (
	SELECT session, bot_score AS score, bot_flags AS flags, 1 AS hits, ts AS first_ts, ts AS last_ts,
		'' AS agent, toString(country) AS place
	FROM events WHERE ${RECENTLY_COUNTED}
	UNION ALL
	SELECT session, score, flags, if(counted = 1, 0, hits) AS hits, first_ts, ts AS last_ts,
		user_agent AS agent, toString(country) AS place
	FROM bot_hits WHERE ${RECENT}
)
WHERE session GLOBAL IN (SELECT session FROM top)
GROUP BY session
ORDER BY max_score DESC, session_id`;

/** The most suspicious sessions of the last seven days: those with a hit above the score, the worst first. */
export function suspiciousSessions(
	deps: { readonly eventStore: EventStore; readonly clock: Clock },
	site: string,
	{ minScore, limit }: { readonly minScore: number; readonly limit: number },
): Promise<SuspiciousSession[]> {
	const since = deps.clock.now() - WINDOW_MS;
	const day = utcDay(since - DAY_MS);
	const params = { site, since, day, min_score: minScore, limit };
	return deps.eventStore.query({ sql: SESSIONS, params, settings: rowSettings });
}
