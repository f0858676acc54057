import type { Measures } from "../../../../analytics/catalog/metrics.ts";
import { figureOf, percentage, percentChange } from "../../../../analytics/catalog/rates.ts";
import { areApart, hundredths as round, wilson } from "../rules/finding.ts";
import type { Compared, Sums } from "../rules/week-figures.ts";
import { audienceNames, type ReportContent, type ReportPart, type ReportSums } from "../store.ts";
import { type Language, numbersIn } from "../words/numbers.ts";
import { type KeyMetricName, reportTexts } from "../words/report-texts.ts";
import type { KeyMetric } from "./schemas.ts";

const FLAT_PERCENT = 1;

const figures = {
	revenue: ["revenue", "currency"],
	conversions: ["conversions", "count"],
	entrances: ["entrances", "count"],
	pageviews: ["page_views", "count"],
	conversion_rate: ["conversion_rate", "percent"],
	bounce_rate: ["bounce_rate", "percent"],
	aov: ["average_order_value", "currency"],
} as const satisfies Record<KeyMetricName, unknown>;

/** Rises and falls of less than one percent are none. */
const trendOf = (change: number | null): KeyMetric["trend"] =>
	change === null ? null : Math.abs(change) < FLAT_PERCENT ? "flat" : change > 0 ? "up" : "down";

/** A change in percent; null where there was nothing before, or less than nothing. */
function changeOf(now: number, before: number): number | null {
	const change = percentChange(now, before);
	return change === null ? null : round(change);
}

export function keyMetricsOf({ now, before }: Compared<ReportSums>): Record<KeyMetricName, KeyMetric> {
	const hasBefore = before.entrances > 0 || before.page_views > 0;
	const entries = Object.entries(figures).map(([name, [figure, unit]]) => {
		const of = (sums: ReportSums) => {
			const measures: Measures = { visit_seconds: 0, visitors: 0, paid_conversions: sums.conversions, ...sums };
			return round(figureOf(figure, measures));
		};
		const [current, previous] = [of(now), of(before)];
		const change = hasBefore ? changeOf(current, previous) : null;
		const metric: KeyMetric = {
			current,
			previous: hasBefore ? previous : null,
			change_pct: change,
			change_abs: hasBefore ? round(current - previous) : null,
			trend: trendOf(change),
			unit,
		};
		return [name, metric];
	});
	return Object.fromEntries(entries) as Record<KeyMetricName, KeyMetric>;
}

const MOST_CHANNELS = 12;
/** Changes from which a channel is worth a sentence, in percent, and the visits before that it takes. */
const [ADVISED, LEAST_VISITS] = [20, 100];

const visitsOf = ({ now, before }: ReportPart) => changeOf(now.entrances, before.entrances);

const hasSize = ({ before }: ReportPart): boolean => before.entrances >= LEAST_VISITS;

function adviceOn(part: ReportPart, language: Language): string | null {
	const change = visitsOf(part);
	if (change === null || Math.abs(change) < ADVISED || !hasSize(part)) return null;
	const texts = reportTexts[language];
	return (change < 0 ? texts.channelFell : texts.channelRose)(part.value);
}

/** The channel that lost most visits; undefined where none of some size did. */
export const biggestDecline = (channels: readonly ReportPart[]): ReportPart | undefined =>
	channels
		.filter((part) => hasSize(part) && (visitsOf(part) ?? 0) <= -ADVISED)
		.toSorted(
			(one, other) => one.now.entrances - one.before.entrances - (other.now.entrances - other.before.entrances),
		)[0];

/** How channels did: changes are those of their visits. */
export function presentChannels({ channels, now }: ReportContent, language: Language) {
	const shown = channels.filter((part) => part.now.entrances > 0 || part.before.entrances > 0).slice(0, MOST_CHANNELS);
	const earners = shown.toSorted((one, other) => other.now.revenue - one.now.revenue);
	const top = now.revenue > 0 ? earners[0] : shown[0];
	return {
		channels: shown.map((part) => ({
			channel: part.value,
			revenue: part.now.revenue,
			conversions: part.now.conversions,
			entrances: part.now.entrances,
			conversion_rate: Math.min(100, percentage(part.now.conversions, part.now.entrances)),
			revenue_share: now.revenue > 0 ? percentage(part.now.revenue, now.revenue) : 0,
			change_pct: visitsOf(part),
			trend: trendOf(visitsOf(part)),
			recommendation: adviceOn(part, language),
		})),
		top_performer: top?.value ?? null,
		biggest_decline: biggestDecline(shown)?.value ?? null,
		total_revenue: now.revenue,
	};
}

const countsOf = ({ entrances, engaged_entrances: engaged, conversions }: Sums) => [entrances, engaged, conversions];

/** Loss before each step, in percent of the step before; more conversions than visits are no gain. */
const dropsOf = (counts: readonly number[]): number[] =>
	counts.map((count, index) => {
		const before = counts[index - 1];
		return before === undefined || before === 0 ? 0 : Math.max(0, round(100 - percentage(count, before)));
	});

const rateOf = ({ conversions, entrances }: Sums): number => Math.min(100, percentage(conversions, entrances));

/** How visits become conversions. Differences are in points. */
export function presentFunnel({ now, before }: ReportContent, language: Language) {
	const texts = reportTexts[language];
	const counts = countsOf(now);
	const [drops, earlier] = [dropsOf(counts), dropsOf(countsOf(before))];
	const hasBefore = before.entrances > 0;
	const steps = texts.steps.map((name, index) => ({
		name,
		count: counts[index] ?? 0,
		drop_off_pct: drops[index] ?? 0,
		vs_previous: hasBefore && index > 0 ? round((drops[index] ?? 0) - (earlier[index] ?? 0)) : null,
	}));
	// Without a single conversion nothing says that people are meant to convert.
	const leaks = steps.slice(1, now.conversions === 0 ? 2 : 3).filter((step) => step.drop_off_pct > 0);
	const leak = leaks.toSorted((one, other) => other.drop_off_pct - one.drop_off_pct)[0];
	return {
		steps,
		overall_conversion_rate: rateOf(now),
		vs_previous: hasBefore ? round(rateOf(now) - rateOf(before)) : null,
		biggest_leak: leak?.name ?? null,
		recommendation: leak === undefined ? null : texts.leakAdvice(leak.name),
	};
}

const MOST_VALUES = 10;
const LEAST_POINTS = 5;

/** Audience by share of visits; changes in points. */
export function presentAudience(content: ReportContent, language: Language) {
	const [now, before] = [content.now.entrances, content.before.entrances];
	const shares = (part: ReportPart) => ({
		share: percentage(part.now.entrances, now),
		earlier: percentage(part.before.entrances, before),
	});
	const list = (parts: readonly ReportPart[]) =>
		parts
			.filter((part) => part.now.entrances > 0)
			.slice(0, MOST_VALUES)
			.map((part) => {
				const { share, earlier } = shares(part);
				return { value: part.value, share, change: before > 0 ? round(share - earlier) : null };
			});
	const texts = reportTexts[language];
	const numbers = numbersIn(language, "");
	const hasShifted = (part: ReportPart) => {
		if (now === 0 || before === 0) return false;
		const { share, earlier } = shares(part);
		const isSure = areApart(wilson(part.now.entrances, now), wilson(part.before.entrances, before));
		return isSure && Math.abs(share - earlier) >= LEAST_POINTS;
	};
	const shifts = audienceNames.flatMap((dimension) =>
		content.audience[dimension].filter(hasShifted).map((part) => {
			const { share, earlier } = shares(part);
			const name = dimension === "country" ? numbers.country(part.value) : part.value;
			return {
				dimension,
				description: texts.shift(name, numbers.value(share, "percent"), numbers.value(earlier, "percent")),
				impact: share > earlier ? texts.shiftMore : texts.shiftLess,
			};
		}),
	);
	const { device_type, country, browser } = content.audience;
	return { devices: list(device_type), countries: list(country), browsers: list(browser), shifts };
}
