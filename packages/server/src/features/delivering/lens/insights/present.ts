import type { Caller } from "../../../../access/index.ts";
import { presentRow } from "../../../../platform/http/present-row.ts";
import { timestamp } from "../../../../platform/lib/timestamp.ts";
import { languageOf } from "../../../people/preferences/index.ts";
import type { LensDeps } from "../deps.ts";
import { type Finding, factsOf, severities, totalImpact } from "../rules/finding.ts";
import type { Compared } from "../rules/week-figures.ts";
import type { Insight } from "../store.ts";
import { groupTitle, wordsOf } from "../words/insight-words.ts";
import type { Language } from "../words/numbers.ts";
import { type groupings, Insight as InsightSchema } from "./schemas.ts";

// Same encoding as the dashboard's filters: a comma ends an entry and a pipe a value; an encoded sign in the value
// itself gets one more `25`.
const escaped = (value: string): string =>
	value
		.replaceAll(/%(?=(?:25)*(?:2c|7c))/gi, "%25")
		.replaceAll(",", "%2C")
		.replaceAll("|", "%7C");

/** The path of the dashboard's screen that shows what an insight is about, days and filter set. */
export function deepLink(
	siteId: string,
	{ rule, entity }: Pick<Finding, "rule" | "entity">,
	days: Compared<{ readonly start: string; readonly end: string }>,
): string {
	const { screen, metric, field } = factsOf(rule);
	const path = `/sites/${siteId}${screen}`;
	if (screen === "/settings/install") return path;
	const query = new URLSearchParams({ from: days.now.start, to: days.now.end });
	if (metric !== undefined) query.set("metric", metric);
	if (field !== undefined && entity !== null) query.set("f", `${field}:eq:${escaped(entity)}`);
	return `${path}?${query}`;
}

export const readerOf = async (
	{ metadata }: Pick<LensDeps, "metadata">,
	{ caller, site }: { readonly caller: Caller; readonly site: { readonly currency: string } },
): Promise<Reader> => ({ language: await languageOf(metadata, caller.userId), currency: site.currency });

export interface Reader {
	readonly language: Language;
	readonly currency: string;
}

const presentEvidence = ({ finding }: Insight) => ({
	unit: finding.unit,
	current_value: finding.value,
	current_interval: finding.interval,
	baseline_value: finding.baseline,
	baseline_interval: finding.baselineInterval,
	change_percentage: finding.change,
	threshold: finding.threshold,
	confidence: finding.confidence,
	days_with_data: finding.sample.days,
	events: finding.sample.events,
	conversions: finding.sample.conversions,
	compared_with: finding.other,
	period: finding.days.now,
	baseline_period: finding.days.before,
});

export function presentInsight(insight: Insight, { language, currency }: Reader) {
	const { row, finding } = insight;
	const { type, category, tool } = factsOf(finding.rule);
	return {
		...presentRow(InsightSchema, row),
		account_id: row.site_id,
		insight_type: type,
		category,
		...wordsOf(finding, language, currency),
		economic_impact: finding.impact,
		source_tool: tool,
		source_rule: finding.rule,
		related_entity: finding.entity,
		deep_link: deepLink(row.site_id, finding, finding.days),
		metadata: { is_open: row.open_key !== null, last_found_on: row.last_day, currency },
		is_read: row.read_at !== null,
		is_dismissed: row.dismissed_at !== null,
		is_locked: false,
		locked_tier: null,
		evidence: presentEvidence(insight),
	};
}

type Grouping = (typeof groupings)[number];

const keyOf = ({ finding }: Insight, by: Grouping): string =>
	by === "source_rule" ? finding.rule : by === "insight_type" ? factsOf(finding.rule).type : (finding.entity ?? "");

/**
 * Insights, the worst first, in groups, the group with the most severe first. Insights about no value are about the site, whose group has
 * an empty key.
 */
export function groupInsights(insights: readonly Insight[], by: Grouping, reader: Reader, siteName: string) {
	const groups = Map.groupBy(insights, (insight) => keyOf(insight, by));
	return [...groups]
		.map(([key, list]) => presentGroup(key, list, { by, reader, siteName }))
		.sort(
			(one, other) =>
				severities.indexOf(one.max_severity) - severities.indexOf(other.max_severity) ||
				other.insight_count - one.insight_count ||
				(one.group_key < other.group_key ? -1 : 1),
		);
}

function presentGroup(
	key: string,
	list: readonly Insight[],
	{ by, reader, siteName }: { readonly by: Grouping; readonly reader: Reader; readonly siteName: string },
) {
	const [worst] = list;
	if (worst === undefined) throw new Error("A group of insights has none");
	const newest = list.reduce((one, other) => (other.row.created_at > one.row.created_at ? other : one));
	const moments = list.map(({ row }) => row.created_at);
	const titles = {
		source_rule: groupTitle(worst.finding.rule, reader.language),
		insight_type: key,
		related_entity: key === "" ? siteName : key,
	};
	return {
		group_key: key,
		group_title: titles[by],
		insight_type: factsOf(worst.finding.rule).type,
		max_severity: worst.row.severity,
		insight_count: list.length,
		unread_count: list.filter(({ row }) => row.read_at === null).length,
		total_economic_impact: totalImpact(list),
		latest_insight: presentInsight(newest, reader),
		related_entities: [...new Set(list.flatMap(({ finding }) => finding.entity ?? []))].sort(),
		first_detected_at: timestamp(Math.min(...moments)),
		last_detected_at: timestamp(Math.max(...moments)),
	};
}
