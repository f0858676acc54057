import { percentage } from "../../../../analytics/catalog/rates.ts";
import type { Language } from "../words/numbers.ts";
import { reportTexts } from "../words/report-texts.ts";
import { changeOf, trendOf } from "./key-metrics.ts";
import type { ReportContent, ReportPart } from "./report-content.ts";

/** Channels that a report lists. */
const MOST = 12;
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
	const shown = channels.filter((part) => part.now.entrances > 0 || part.before.entrances > 0).slice(0, MOST);
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
