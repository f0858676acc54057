import { percentage } from "../../../../analytics/catalog/rates.ts";
import type { Reader } from "../insights/present.ts";
import { numbersIn } from "../words/numbers.ts";
import { reportTexts } from "../words/report-texts.ts";
import { type KeyMetric, type KeyMetricName, keyMetricsOf } from "./key-metrics.ts";
import { biggestDecline, presentChannels } from "./present-channels.ts";
import { presentFunnel } from "./present-funnel.ts";
import { attentionIn } from "./present-insights.ts";
import type { ReportContent } from "./report-content.ts";

/** Summary of a report in one paragraph, and in separate sentences. */
export function summarize(content: ReportContent, { language, currency }: Reader) {
	const texts = reportTexts[language];
	const numbers = numbersIn(language, currency);
	const metrics = keyMetricsOf(content);
	const sentence = (name: KeyMetricName) => {
		const { current, change_pct: change, trend, unit }: KeyMetric = metrics[name];
		const [label, value] = [texts.metrics[name], numbers.value(current, unit)];
		if (change === null || trend === null) return texts.was(label, value);
		if (trend === "flat") return texts.same(label, value);
		return (trend === "up" ? texts.rose : texts.fell)(label, value, numbers.percent(change));
	};
	if (content.now.entrances === 0 && content.now.page_views === 0) return { summary: texts.nothing, takeaways: [] };
	const { conversions, revenue } = content.now;
	const told: KeyMetricName[] = ["entrances", ...(conversions > 0 ? (["conversions"] as const) : [])];
	if (revenue > 0) told.push("revenue");
	const attention = attentionIn(content);
	const [topChannel] = presentChannels(content, language).channels;
	const declined = biggestDecline(content.channels);
	const { steps, biggest_leak: leak } = presentFunnel(content, language);
	const lost = steps.find(({ name }) => name === leak);
	return {
		summary: [...told.map(sentence), attention > 0 ? texts.attention(attention) : texts.calm].join(" "),
		takeaways: [
			sentence("entrances"),
			sentence("bounce_rate"),
			...(conversions > 0 ? [sentence("conversion_rate")] : []),
			...(topChannel === undefined
				? []
				: [
						texts.topChannel(
							topChannel.channel,
							numbers.value(percentage(topChannel.entrances, content.now.entrances), "percent"),
						),
					]),
			...(declined === undefined
				? []
				: [
						texts.declined(
							declined.value,
							numbers.percent(100 - percentage(declined.now.entrances, declined.before.entrances)),
						),
					]),
			...(lost === undefined ? [] : [texts.leak(lost.name, numbers.value(lost.drop_off_pct, "percent"))]),
		],
	};
}
