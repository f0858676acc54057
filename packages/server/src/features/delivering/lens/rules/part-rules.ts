import { compareShares, compareSums, type Looks, type Share, type Verdict } from "./compare.ts";
import { type Finding, thresholdAt } from "./finding.ts";
import { Z_OF_MANY } from "./intervals.ts";
import type { RuleName } from "./rule-names.ts";
import { bounced, sampleOf } from "./total-rules.ts";
import type { Compared, Part, PartName, WeekFigures } from "./week-figures.ts";

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

const fall: Looks = { way: "down", isBad: "down" };

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
	const rates = { now: bounced(part.now), before: bounced(part.before) };
	const verdict = compareShares(rates, { looks, sample: partSample(part, figures), z: Z_OF_MANY });
	const site = compareShares(
		{ now: bounced(figures.now), before: bounced(figures.before) },
		{ looks, sample: sampleOf(figures) },
	);
	return site === undefined ? verdict : undefined;
}

const rules: readonly PartRule[] = [
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
		looks: { way: "up", isBad: "up" },
		judge: bounceOfPage,
		hasImpact: false,
	},
];

/** Red takes high confidence: among many parts chance makes some differ. */
const calmed = (verdict: Verdict): Verdict =>
	verdict.severity === "red" && verdict.confidence !== "high" ? { ...verdict, severity: "yellow" } : verdict;

/** Findings about parts of sites: by rule the parts with the most visits. */
export const judgeParts = (figures: WeekFigures): Finding[] =>
	rules.flatMap(({ name, of, except, looks, judge, hasImpact }) =>
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
