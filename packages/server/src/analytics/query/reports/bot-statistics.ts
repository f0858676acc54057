import type { EventQuery, EventStore } from "../../../platform/event-store/event-store.ts";
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

type ScoreBand = keyof typeof scoreBands;

/** Hits of one day by their scores; a day without hits has no row. */
export interface BotDay extends Readonly<Record<ScoreBand, number>> {
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
): Promise<{ readonly days: readonly BotDay[]; readonly flagSets: readonly FlagSet[] }> {
	const params = { site, start: start.toString(), end: end.toString() };
	const of = (sql: string): EventQuery => ({ sql, params, settings: rowSettings });
	const [days, flagSets] = await Promise.all([
		deps.eventStore.query<BotDay>(of(BY_DAY)),
		deps.eventStore.query<FlagSet>(of(BY_FLAGS)),
	]);
	return { days, flagSets };
}
