import { percentage, ratio } from "../../../analytics/catalog/rates.ts";
import { botFlagNames } from "../../../analytics/model/bot-flags.ts";
import type { BotDay } from "../../../analytics/query/reports/bot-statistics.ts";
import type { SuspiciousSession } from "../../../analytics/query/reports/suspicious-sessions.ts";
import { timestamp } from "../../../platform/lib/timestamp.ts";
import type { BotOverview } from "./overview.ts";

const suspiciousHits = (day: BotDay): number => day.score_31_60 + day.score_61_80 + day.score_81_100;

/** The overview on the wire. */
export function presentOverview({ range, days, topFlags }: BotOverview) {
	return {
		period_start: range.start.toString(),
		period_end: range.end.toString(),
		distribution: distribution(days),
		top_flags: topFlags.map(({ flag, count, description }) => ({ flag, count, description })),
		daily_trend: days.map((day) => ({
			date: day.date,
			total_hits: day.total_hits,
			suspicious_hits: suspiciousHits(day),
			avg_score: ratio(day.score_sum, day.total_hits),
		})),
	};
}

function distribution(days: readonly BotDay[]) {
	const sum = (of: (day: BotDay) => number) => days.reduce((total, day) => total + of(day), 0);
	const total = sum((day) => day.total_hits);
	return {
		score_0: sum((day) => day.score_0),
		score_1_30: sum((day) => day.score_1_30),
		score_31_60: sum((day) => day.score_31_60),
		score_61_80: sum((day) => day.score_61_80),
		score_81_100: sum((day) => day.score_81_100),
		total_hits: total,
		avg_score: ratio(
			sum((day) => day.score_sum),
			total,
		),
		suspicious_percentage: percentage(sum(suspiciousHits), total),
	};
}

/** A suspicious session on the wire. */
export const presentSession = (session: SuspiciousSession) => ({
	session_id: session.session_id,
	max_score: session.max_score,
	flags: [...botFlagNames(session.flags)],
	hit_count: session.hit_count,
	first_seen: timestamp(session.first_seen),
	last_seen: timestamp(session.last_seen),
	user_agent: session.user_agent,
	country: session.country,
});
