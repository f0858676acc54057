import { type BotFlag, botFlagNames, botFlags } from "../../../analytics/model/bot-flags.ts";
import { type DateRange, eachDay } from "../../../analytics/query/question/date-range.ts";
import { type BotDay, botStatistics, type FlagSet } from "../../../analytics/query/reports/bot-statistics.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";

const TOP_FLAGS = 10;

/** A flag with the number of hits that carry it. */
export interface FlagCount {
	readonly flag: BotFlag;
	readonly count: number;
	readonly description: string;
}

/** Suspicion over some days. */
export interface BotOverview {
	readonly range: DateRange;
	/** Every day of the range, those without hits too. */
	readonly days: readonly BotDay[];
	readonly topFlags: readonly FlagCount[];
}

/** Distribution, most frequent flags and daily trend of a site's hits. */
export async function botOverview(
	deps: { readonly eventStore: EventStore },
	siteId: string,
	range: DateRange,
): Promise<BotOverview> {
	const { days, flagSets } = await botStatistics(deps, siteId, range);
	return { range, days: withEmptyDays(days, range), topFlags: topFlags(flagSets) };
}

function withEmptyDays(days: readonly BotDay[], range: DateRange): BotDay[] {
	const byDate = new Map(days.map((day) => [day.date, day]));
	return eachDay(range).map((day) => byDate.get(day.toString()) ?? emptyDay(day.toString()));
}

const emptyDay = (date: string): BotDay => ({
	date,
	score_0: 0,
	score_1_30: 0,
	score_31_60: 0,
	score_61_80: 0,
	score_81_100: 0,
	total_hits: 0,
	score_sum: 0,
});

function topFlags(flagSets: readonly FlagSet[]): FlagCount[] {
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
