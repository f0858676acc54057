import { compareShares, compareSums, type Looks, type Share, type Verdict } from "./compare.ts";
import type { Finding, Sample } from "./finding.ts";
import type { RuleName } from "./rule-names.ts";
import type { Sums, WeekFigures } from "./week-figures.ts";

interface TotalRule {
	readonly name: RuleName;
	readonly looks: Looks;
	readonly judge: (figures: WeekFigures, looks: Looks) => Verdict | undefined;
	/** Value a week. */
	readonly impact: (figures: WeekFigures) => number | null;
}

const fall: Looks = { way: "down", isBad: "down" };
const rise: Looks = { way: "up", isBad: "down" };

export const sampleOf = (
	{ now, before, daysWithData }: Pick<WeekFigures, "now" | "before" | "daysWithData">,
	isOfConversions = false,
): Sample => ({
	days: daysWithData,
	events: now.entrances + before.entrances,
	conversions: isOfConversions ? now.conversions + before.conversions : null,
});

const visits = (figures: WeekFigures, looks: Looks) =>
	compareSums({ now: figures.now.entrances, before: figures.before.entrances }, { looks, sample: sampleOf(figures) });

const converted = ({ conversions, entrances }: Sums): Share => ({ part: conversions, whole: entrances });
const conversionRate = (figures: WeekFigures, looks: Looks) =>
	compareShares(
		{ now: converted(figures.now), before: converted(figures.before) },
		{ looks, sample: sampleOf(figures, true) },
	);

const revenue = (figures: WeekFigures, looks: Looks) =>
	compareSums(
		{ now: figures.now.revenue, before: figures.before.revenue },
		{
			looks,
			sample: sampleOf(figures, true),
			orders: { now: figures.now.conversions, before: figures.before.conversions },
		},
	);

/** Visits without a second page. */
export const bounced = ({ entrances, engaged_entrances: engaged }: Sums): Share => ({
	part: Math.max(0, entrances - engaged),
	whole: entrances,
});

/** Value of the gained or lost visits, at last week's rate. */
const ofVisits = ({ now, before }: WeekFigures) =>
	before.revenue > 0 ? ((now.entrances - before.entrances) * before.revenue) / before.entrances : null;

/** Value of this week's visits at last week's rate, by its average order. */
const ofRate = ({ now, before }: WeekFigures) =>
	before.revenue > 0 && before.conversions > 0
		? (now.conversions - (now.entrances * before.conversions) / before.entrances) *
			(before.revenue / before.conversions)
		: null;
const ofRevenue = ({ now, before }: WeekFigures) => now.revenue - before.revenue;

const rules: readonly TotalRule[] = [
	{ name: "traffic_drop", looks: fall, judge: visits, impact: ofVisits },
	{ name: "traffic_spike", looks: rise, judge: visits, impact: ofVisits },
	{ name: "conversion_drop", looks: fall, judge: conversionRate, impact: ofRate },
	{ name: "conversion_spike", looks: rise, judge: conversionRate, impact: ofRate },
	{ name: "revenue_drop", looks: fall, judge: revenue, impact: ofRevenue },
	{ name: "revenue_spike", looks: rise, judge: revenue, impact: ofRevenue },
	{
		name: "bounce_rate_rise",
		looks: { way: "up", isBad: "up" },
		judge: (figures, looks) =>
			compareShares(
				{ now: bounced(figures.now), before: bounced(figures.before) },
				{ looks, sample: sampleOf(figures) },
			),
		impact: () => null,
	},
];

export const judgeTotals = (figures: WeekFigures): Finding[] =>
	rules.flatMap(({ name, looks, judge, impact }) => {
		const verdict = judge(figures, looks);
		return verdict === undefined
			? []
			: [{ ...verdict, rule: name, entity: null, impact: impact(figures), other: null }];
	});
