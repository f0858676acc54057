import { type Share, sampleOf, shareOf } from "./compare.ts";
import { areApart, confidenceOf, type Finding, thresholdAt } from "./finding.ts";
import type { Part, WeekFigures } from "./week-figures.ts";

const DIRECT = "(direct)";
/** Least visits of a device, source or day before its share is meaningful. */
const LEAST = 100;
const LEAST_CONVERSIONS = 20;
/** Shares in percent from which a state is news. */
const limits = { gap: 50, concentration: 60, rejected: 10, bots: 20 } as const;

const uncompared = { baseline: null, change: null, baselineInterval: null, impact: null, other: null } as const;

interface State extends Pick<Finding, "rule" | "severity" | "confidence"> {
	readonly share: Share;
	readonly limit: number;
	readonly days: number;
	readonly entity?: string;
}

const stateOf = ({ share, limit, days, ...facts }: State): Finding => ({
	...shareOf(share),
	...uncompared,
	entity: null,
	unit: "percent",
	threshold: limit,
	sample: { days, events: share.whole, conversions: null },
	...facts,
});

export function judgeTracking({ lastDay, now, before, daysWithData }: WeekFigures): Finding[] {
	if (lastDay === undefined || lastDay.hits > 0 || lastDay.usual < LEAST) return [];
	const revenue = Math.max(now.revenue, before.revenue);
	return [
		{
			...uncompared,
			rule: "tracking_broken",
			entity: null,
			severity: "red",
			unit: "count",
			value: 0,
			baseline: lastDay.usual,
			change: -100,
			threshold: LEAST,
			confidence: "high",
			sample: { days: daysWithData, events: Math.round(lastDay.usual * 7), conversions: null },
			interval: null,
			impact: revenue > 0 ? -revenue : null,
		},
	];
}

const deviceOf = ({ value, now, before }: Part) => ({
	value,
	visits: now.entrances + before.entrances,
	conversions: now.conversions + before.conversions,
	revenue: now.revenue + before.revenue,
});
const rateOf = ({ conversions, visits }: ReturnType<typeof deviceOf>) => shareOf({ part: conversions, whole: visits });

/** The device that converts least against the one that converts best, of those that enough people have. */
function judgeDevices(figures: WeekFigures): Finding[] {
	const known = figures.parts.device_type.filter(({ value }) => value !== "unknown");
	const used = known.map(deviceOf).filter(({ visits }) => visits >= 2 * LEAST);
	const sorted = used.toSorted((one, other) => rateOf(other).value - rateOf(one).value);
	const [best, worst] = [sorted[0], sorted.at(-1)];
	if (best === undefined || worst === undefined || best.conversions < LEAST_CONVERSIONS) return [];
	const [low, high] = [rateOf(worst), rateOf(best)];
	const sample = {
		days: figures.daysWithData,
		events: best.visits + worst.visits,
		conversions: best.conversions + worst.conversions,
	};
	const confidence = confidenceOf(sample);
	// Half at high confidence; the less sure, the further below.
	const limit = limits.gap / (thresholdAt(confidence) / thresholdAt("high"));
	if (low.value * 100 >= high.value * limit || !areApart(low.interval, high.interval)) return [];
	const missed = (((high.value - low.value) / 100) * worst.visits) / 2;
	return [
		{
			rule: "device_gap",
			entity: worst.value,
			// A state of the site and no event: nothing has happened that could not wait.
			severity: "yellow",
			unit: "percent",
			value: low.value,
			baseline: high.value,
			change: ((low.value - high.value) / high.value) * 100,
			threshold: 100 - limit,
			confidence,
			sample,
			interval: low.interval,
			baselineInterval: high.interval,
			impact: best.revenue > 0 ? missed * (best.revenue / best.conversions) : null,
			other: best.value,
		},
	];
}

function judgeConcentration(figures: WeekFigures): Finding[] {
	const whole = figures.now.entrances;
	return figures.parts.utm_source
		.filter(({ value, now }) => value !== DIRECT && value !== "" && now.entrances >= LEAST)
		.filter(({ now }) => shareOf({ part: now.entrances, whole }).interval.low > limits.concentration)
		.map(({ value, now }) =>
			stateOf({
				rule: "concentration_risk",
				entity: value,
				share: { part: now.entrances, whole },
				limit: limits.concentration,
				severity: "yellow",
				confidence: confidenceOf(sampleOf(figures)),
				days: figures.daysWithData,
			}),
		);
}

function judgeRejections({ collected }: WeekFigures): Finding[] {
	if (collected === undefined) return [];
	const share = { part: collected.rejected, whole: collected.accepted + collected.rejected };
	if (share.whole < LEAST || shareOf(share).interval.low <= limits.rejected) return [];
	return [
		stateOf({
			rule: "data_health",
			share,
			limit: limits.rejected,
			severity: shareOf(share).interval.low > 2 * limits.rejected ? "red" : "yellow",
			confidence: share.whole >= 1000 ? "high" : "medium",
			days: 1,
		}),
	];
}

function judgeBots({ bots, daysWithData }: WeekFigures): Finding[] {
	const [now, before] = [bots.now, bots.before].map(({ hits, suspicious }) => ({ part: suspicious, whole: hits }));
	if (now === undefined || before === undefined || now.whole < LEAST) return [];
	const current = shareOf(now);
	const earlier = before.whole === 0 ? undefined : shareOf(before);
	const confidence = confidenceOf({ days: daysWithData, events: now.whole + before.whole, conversions: null });
	const hasRisen =
		earlier === undefined ||
		(areApart(current.interval, earlier.interval) &&
			current.value >= earlier.value * (1 + thresholdAt(confidence) / 100));
	if (current.interval.low <= limits.bots || !hasRisen) return [];
	const severity = current.interval.low > 2 * limits.bots ? "red" : "yellow";
	const facts = { rule: "bot_share", severity, confidence } as const;
	const state = stateOf({ ...facts, share: now, limit: limits.bots, days: daysWithData });
	return [{ ...state, baseline: earlier?.value ?? null, baselineInterval: earlier?.interval ?? null }];
}

export const judgeStates = (figures: WeekFigures): Finding[] => [
	...judgeDevices(figures),
	...judgeConcentration(figures),
	...judgeRejections(figures),
	...judgeBots(figures),
];
