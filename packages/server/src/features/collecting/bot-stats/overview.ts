import { percentage, ratio } from "../../../analytics/catalog/rates.ts";
import { type BotFlag, botFlagNames, botFlags } from "../../../analytics/model/bot-flags.ts";
import { type DateRange, eachDay } from "../../../analytics/query/question/date-range.ts";
import { type BotDay, botStatistics, type FlagSet } from "../../../analytics/query/reports/bot-statistics.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";

const TOP_FLAGS = 10;

/** Distribution, most frequent flags and daily trend of a site's hits, days without hits included. */
export async function botOverview(deps: { readonly eventStore: EventStore }, siteId: string, range: DateRange) {
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
	const total = sum((day) => day.total_hits);
	const scores = sum((day) => day.score_sum);
	return {
		score_0: sum((day) => day.score_0),
		score_1_30: sum((day) => day.score_1_30),
		score_31_60: sum((day) => day.score_31_60),
		score_61_80: sum((day) => day.score_61_80),
		score_81_100: sum((day) => day.score_81_100),
		total_hits: total,
		avg_score: ratio(scores, total),
		suspicious_percentage: percentage(sum(suspiciousHits), total),
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
