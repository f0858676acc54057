import { percentage } from "../../../../analytics/catalog/rates.ts";
import { presentRow } from "../../../../platform/http/present-row.ts";
import type { Reader } from "../insights/present.ts";
import { factsOf, totalImpact } from "../rules/finding.ts";
import type { ReportContent, ReportInsight, ReportRow } from "../store.ts";
import { wordsOf } from "../words/insight-words.ts";
import { type Language, locales, numbersIn } from "../words/numbers.ts";
import { type KeyMetricName, reportTexts } from "../words/report-texts.ts";
import { biggestDecline, keyMetricsOf, presentAudience, presentChannels, presentFunnel } from "./present-figures.ts";
import { type KeyMetric, ListedReport, Report } from "./schemas.ts";

/** Most insights of each severity in a report, and recommendations. */
const [MOST, MOST_ITEMS] = [5, 8];

const owners: Readonly<Record<string, string>> = {
	traffic: "marketing",
	acquisition: "marketing",
	audience: "marketing",
	conversions: "product",
	revenue: "product",
	engagement: "product",
	tracking: "engineering",
};

/** Insights of a report by severity, and their combined value. */
function presentTopInsights({ insights }: ReportContent, { language, currency }: Reader) {
	const of = (severity: string) =>
		insights
			.filter(({ finding }) => finding.severity === severity)
			.slice(0, MOST)
			.map(({ finding }) => {
				const { title, description } = wordsOf(finding, language, currency);
				const { category } = factsOf(finding.rule);
				return { title, description, severity: finding.severity, economic_impact: finding.impact, category };
			});
	return {
		red: of("red"),
		yellow: of("yellow"),
		green: of("green"),
		total_economic_impact: totalImpact(insights),
		insight_count: insights.length,
	};
}

const wantsAttention = ({ finding }: ReportInsight): boolean => finding.severity !== "green";

/** Recommendations of the insights that need attention, the most urgent first. */
const presentActions = ({ insights }: ReportContent, { language, currency }: Reader) =>
	insights
		.filter(wantsAttention)
		.slice(0, MOST_ITEMS)
		.map(({ id, finding }) => {
			const { title, recommendation } = wordsOf(finding, language, currency);
			const { category } = factsOf(finding.rule);
			return {
				title,
				description: recommendation,
				priority: finding.severity === "red" ? ("high" as const) : ("medium" as const),
				owner: owners[category] ?? "marketing",
				category,
				related_insight: id,
				expected_impact: finding.impact === null ? null : Math.abs(finding.impact),
			};
		});

function periodLabel({ report_type: type, period_start: start, period_end: end }: ReportRow, language: Language) {
	const [from, to] = [new Date(start), new Date(end)];
	const of = (options: Intl.DateTimeFormatOptions) =>
		new Intl.DateTimeFormat(locales[language], { timeZone: "UTC", ...options });
	return type === "monthly"
		? of({ month: "long", year: "numeric" }).format(from)
		: of({ day: "numeric", month: "long", year: "numeric" }).formatRange(from, to);
}

const contentOf = ({ content }: ReportRow): ReportContent | undefined =>
	content === null ? undefined : (JSON.parse(content) as ReportContent);

export function presentListed(row: ReportRow, { language }: Reader) {
	const content = contentOf(row);
	const metrics = content && keyMetricsOf(content);
	return {
		...presentRow(ListedReport, row),
		period_label: periodLabel(row, language),
		revenue: metrics?.revenue.current ?? null,
		revenue_change: metrics?.revenue.change_pct ?? null,
		conversions: metrics?.conversions.current ?? null,
		insight_count: content?.insights.length ?? 0,
	};
}

export function presentReport(row: ReportRow, reader: Reader) {
	const content = contentOf(row);
	const told = content && summarize(content, reader);
	return {
		...presentRow(Report, row),
		account_id: row.site_id,
		period_label: periodLabel(row, reader.language),
		executive_summary: told?.summary ?? null,
		key_takeaways: told?.takeaways ?? [],
		key_metrics: content ? keyMetricsOf(content) : null,
		channel_performance: content ? presentChannels(content, reader.language) : null,
		funnel_health: content ? presentFunnel(content, reader.language) : null,
		audience_insights: content ? presentAudience(content, reader.language) : null,
		top_insights: content ? presentTopInsights(content, reader) : null,
		action_items: content ? presentActions(content, reader) : [],
	};
}

function summarize(content: ReportContent, { language, currency }: Reader) {
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
	const attention = content.insights.filter(wantsAttention).length;
	const [topChannel] = presentChannels(content, language).channels;
	const declined = biggestDecline(content.channels);
	const { steps, biggest_leak: leak } = presentFunnel(content, language);
	const lost = steps.find(({ name }) => name === leak);
	return {
		summary: [...told.map(sentence), attention > 0 ? texts.attention(attention) : texts.calm].join(" "),
		takeaways: [
			sentence("entrances"),
			sentence("bounce_rate"),
			conversions > 0 && sentence("conversion_rate"),
			topChannel &&
				texts.topChannel(topChannel.channel, numbers.percent(percentage(topChannel.entrances, content.now.entrances))),
			declined &&
				texts.declined(
					declined.value,
					numbers.percent(100 - percentage(declined.now.entrances, declined.before.entrances)),
				),
			lost && texts.leak(lost.name, numbers.value(lost.drop_off_pct, "percent")),
		].filter((text) => typeof text === "string"),
	};
}
