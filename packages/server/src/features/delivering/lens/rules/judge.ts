import { bounced, compareShares, compareSums, type Looks, type Share, sampleOf, type Verdict } from "./compare.ts";
import { type Finding, type RuleName, rounded, thresholdAt, Z_OF_MANY } from "./finding.ts";
import { judgeStates, judgeTracking } from "./state-rules.ts";
import type { Compared, Part, PartName, Sums, WeekFigures } from "./week-figures.ts";

interface TotalRule {
	readonly name: RuleName;
	readonly looks: Looks;
	readonly judge: (figures: WeekFigures, looks: Looks) => Verdict | undefined;
	/** Value a week. */
	readonly impact: (figures: WeekFigures) => number | null;
}

const fall: Looks = { way: "down", isBad: "down" };
const rise: Looks = { way: "up", isBad: "down" };
const badRise: Looks = { way: "up", isBad: "up" };

const ofBoth = <T>({ now, before }: Compared<Sums>, of: (sums: Sums) => T): Compared<T> => ({
	now: of(now),
	before: of(before),
});

const visits = (figures: WeekFigures, looks: Looks) =>
	compareSums(
		ofBoth(figures, ({ entrances }) => entrances),
		{ looks, sample: sampleOf(figures) },
	);

const converted = ({ conversions, entrances }: Sums): Share => ({ part: conversions, whole: entrances });
const conversionRate = (figures: WeekFigures, looks: Looks) =>
	compareShares(ofBoth(figures, converted), { looks, sample: sampleOf(figures, true) });

const bounceRate = (figures: WeekFigures, looks: Looks) =>
	compareShares(ofBoth(figures, bounced), { looks, sample: sampleOf(figures) });

const revenue = (figures: WeekFigures, looks: Looks) => {
	const orders = ofBoth(figures, ({ conversions }) => conversions);
	return compareSums(
		ofBoth(figures, (sums) => sums.revenue),
		{ looks, sample: sampleOf(figures, true), orders },
	);
};

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

const totalRules: readonly TotalRule[] = [
	{ name: "traffic_drop", looks: fall, judge: visits, impact: ofVisits },
	{ name: "traffic_spike", looks: rise, judge: visits, impact: ofVisits },
	{ name: "conversion_drop", looks: fall, judge: conversionRate, impact: ofRate },
	{ name: "conversion_spike", looks: rise, judge: conversionRate, impact: ofRate },
	{ name: "revenue_drop", looks: fall, judge: revenue, impact: ofRevenue },
	{ name: "revenue_spike", looks: rise, judge: revenue, impact: ofRevenue },
	{ name: "bounce_rate_rise", looks: badRise, judge: bounceRate, impact: () => null },
];

const judgeTotals = (figures: WeekFigures): Finding[] =>
	totalRules.flatMap(({ name, looks, judge, impact }) => {
		const verdict = judge(figures, looks);
		return verdict === undefined
			? []
			: [{ ...verdict, rule: name, entity: null, impact: impact(figures), other: null }];
	});

/** Visits of the week before below which the change of a part is not reported. */
const LEAST_VISITS = 100;
const MOST = 5;
/** By how many points the share of a country has to change. */
const LEAST_POINTS = 5;

interface PartRule {
	readonly name: RuleName;
	readonly of: PartName;
	/** Values that mean that there is none. */
	readonly except: readonly string[];
	readonly looks: Looks;
	readonly judge: (part: Part, figures: WeekFigures, looks: Looks) => Verdict | undefined;
	/** True when revenue that changed with it is what it is worth. */
	readonly hasImpact: boolean;
}

const partSample = (part: Part, { daysWithData }: WeekFigures) => sampleOf({ ...part, daysWithData });

/** A part's visits. Where all visits fell, a part is only news when it fell further than the others. */
function fewerVisits(part: Part, figures: WeekFigures, looks: Looks): Verdict | undefined {
	const sample = partSample(part, figures);
	const verdict = compareSums({ now: part.now.entrances, before: part.before.entrances }, { looks, sample });
	if (verdict === undefined) return undefined;
	const { now, before } = figures;
	const fellTo = Math.min(1, now.entrances / before.entrances);
	const against = part.now.entrances / (part.before.entrances * fellTo);
	return fellTo === 0 || (1 - against) * 100 < thresholdAt(verdict.confidence) ? undefined : verdict;
}

const shareOfVisits = (part: Part, { now, before }: WeekFigures): Compared<Share> => ({
	now: { part: part.now.entrances, whole: now.entrances },
	before: { part: part.before.entrances, whole: before.entrances },
});

function shift(part: Part, figures: WeekFigures, looks: Looks): Verdict | undefined {
	const verdict = compareShares(shareOfVisits(part, figures), {
		looks,
		sample: partSample(part, figures),
		z: Z_OF_MANY,
	});
	return verdict && Math.abs(verdict.value - (verdict.baseline ?? 0)) >= LEAST_POINTS ? verdict : undefined;
}

/** A page's bounce rate, where it rose by itself: with that of the whole site it is the site's news. */
function bounceOfPage(part: Part, figures: WeekFigures, looks: Looks): Verdict | undefined {
	if (part.now.entrances < LEAST_VISITS) return undefined;
	if (bounceRate(figures, looks) !== undefined) return undefined;
	return compareShares(ofBoth(part, bounced), { looks, sample: partSample(part, figures), z: Z_OF_MANY });
}

const partRules: readonly PartRule[] = [
	{ name: "channel_drop", of: "channel_group", except: [""], looks: fall, judge: fewerVisits, hasImpact: true },
	{
		name: "campaign_drop",
		of: "utm_campaign",
		except: ["", "(none)", "(not set)"],
		looks: fall,
		judge: fewerVisits,
		hasImpact: true,
	},
	{
		name: "country_shift",
		of: "country",
		except: ["", "Unknown"],
		looks: { way: "both", isBad: "down" },
		judge: shift,
		hasImpact: false,
	},
	{
		name: "landing_page_bounce",
		of: "landing_page",
		except: [""],
		looks: badRise,
		judge: bounceOfPage,
		hasImpact: false,
	},
];

/** Red takes high confidence: among many parts chance makes some differ. */
const calmed = (verdict: Verdict): Verdict =>
	verdict.severity === "red" && verdict.confidence !== "high" ? { ...verdict, severity: "yellow" } : verdict;

/** Findings about parts of sites: by rule the parts with the most visits. */
const judgeParts = (figures: WeekFigures): Finding[] =>
	partRules.flatMap(({ name, of, except, looks, judge, hasImpact }) =>
		figures.parts[of]
			.filter(({ value, before }) => !except.includes(value) && before.entrances >= LEAST_VISITS)
			.flatMap((part): Finding[] => {
				const verdict = judge(part, figures, looks);
				if (verdict === undefined) return [];
				const impact = hasImpact && part.before.revenue > 0 ? part.now.revenue - part.before.revenue : null;
				return [{ ...calmed(verdict), rule: name, entity: part.value, impact, other: null }];
			})
			.slice(0, MOST),
	);

/** Findings of all rules. While no hits arrive, fallen figures are not reported on their own. */
export function judge(figures: WeekFigures): Finding[] {
	const broken = judgeTracking(figures);
	const compared = broken.length > 0 ? [] : [...judgeTotals(figures), ...judgeParts(figures)];
	return [...broken, ...compared, ...judgeStates(figures)].map(rounded);
}
