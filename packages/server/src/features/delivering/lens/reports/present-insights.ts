import type { Reader } from "../insights/present.ts";
import { ruleFacts } from "../rules/rule-names.ts";
import { wordsOf } from "../words/insight-words.ts";
import type { ReportContent, ReportInsight } from "./report-content.ts";

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
export function presentTopInsights({ insights }: ReportContent, { language, currency }: Reader) {
	const of = (severity: string) =>
		insights
			.filter(({ finding }) => finding.severity === severity)
			.slice(0, MOST)
			.map(({ finding }) => {
				const { title, description } = wordsOf(finding, language, currency);
				const { category } = ruleFacts[finding.rule];
				return { title, description, severity: finding.severity, economic_impact: finding.impact, category };
			});
	const impacts = insights.flatMap(({ finding }) => finding.impact ?? []);
	return {
		red: of("red"),
		yellow: of("yellow"),
		green: of("green"),
		total_economic_impact:
			impacts.length === 0 ? null : Math.round(impacts.reduce((sum, one) => sum + one, 0) * 100) / 100,
		insight_count: insights.length,
	};
}

const wantsAttention = ({ finding }: ReportInsight): boolean => finding.severity !== "green";

/** How many insights want attention. */
export const attentionIn = ({ insights }: ReportContent): number => insights.filter(wantsAttention).length;

/** Recommendations of the insights that need attention, the most urgent first. */
export const presentActions = ({ insights }: ReportContent, { language, currency }: Reader) =>
	insights
		.filter(wantsAttention)
		.slice(0, MOST_ITEMS)
		.map(({ id, finding }) => {
			const { title, recommendation } = wordsOf(finding, language, currency);
			const { category } = ruleFacts[finding.rule];
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
