import { Type } from "typebox";
import type { Caller } from "../../../../access/index.ts";
import { presentRow } from "../../../../platform/http/present-row.ts";
import { Nullable, OneOf, Timestamp } from "../../../../platform/http/schemas.ts";
import { timestamp } from "../../../../platform/lib/timestamp.ts";
import { languageOf } from "../../../people/preferences/index.ts";
import type { WatchDeps } from "../../mail-recipients/index.ts";
import {
	confidences,
	type Finding,
	factsOf,
	insightTypes,
	ruleNames,
	severities,
	totalImpact,
} from "../rules/finding.ts";
import type { Compared } from "../rules/week-figures.ts";
import type { StoredInsight } from "../store.ts";
import { groupTitle, wordsOf } from "../words/insight-words.ts";
import type { Language } from "../words/numbers.ts";

export const groupings = ["source_rule", "insight_type", "related_entity"] as const;

const interval = () =>
	Nullable(Type.Object({ low: Type.Number(), high: Type.Number() }), { description: "95 % interval" });
const days = () => Type.Object({ start: Type.String({ format: "date" }), end: Type.String({ format: "date" }) });

const Evidence = Type.Object({
	unit: OneOf(["count", "percent", "currency"]),
	current_value: Type.Number(),
	current_interval: interval(),
	baseline_value: Nullable(Type.Number()),
	baseline_interval: interval(),
	change_percentage: Nullable(Type.Number()),
	threshold: Type.Number({ description: "Smallest change that counts; without a baseline the smallest value" }),
	confidence: OneOf(confidences),
	days_with_data: Type.Integer(),
	events: Type.Integer(),
	conversions: Nullable(Type.Integer()),
	compared_with: Nullable(Type.String(), {
		description: "The value that the baseline belongs to, where it is not an earlier week",
	}),
	period: days(),
	baseline_period: days(),
});

export const Insight = Type.Object({
	id: Type.String({ format: "uuid" }),
	account_id: Type.String(),
	insight_type: OneOf(insightTypes),
	severity: OneOf(severities),
	category: Nullable(Type.String()),
	title: Type.String(),
	description: Nullable(Type.String()),
	recommendation: Nullable(Type.String()),
	economic_impact: Nullable(Type.Number(), { description: "Money per week, negative for a loss" }),
	source_tool: Nullable(Type.String()),
	source_rule: Nullable(OneOf(ruleNames)),
	related_entity: Nullable(Type.String()),
	deep_link: Nullable(Type.String(), { description: "Path of the dashboard" }),
	metadata: Type.Record(Type.String(), Type.Unknown()),
	created_at: Timestamp(),
	expires_at: Nullable(Timestamp()),
	read_at: Nullable(Timestamp()),
	dismissed_at: Nullable(Timestamp()),
	is_read: Type.Boolean(),
	is_dismissed: Type.Boolean(),
	is_locked: Type.Boolean(),
	locked_tier: Nullable(Type.String()),
	evidence: Nullable(Evidence),
});

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
	{ metadata }: Pick<WatchDeps, "metadata">,
	{ caller, site }: { readonly caller: Caller; readonly site: { readonly currency: string } },
): Promise<Reader> => ({ language: await languageOf(metadata, caller.userId), currency: site.currency });

export interface Reader {
	readonly language: Language;
	readonly currency: string;
}

const presentEvidence = ({ finding }: StoredInsight) => ({
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

export function presentInsight(insight: StoredInsight, { language, currency }: Reader) {
	const { row, finding } = insight;
	const { type, category, tool } = factsOf(finding.rule);
	return {
		...presentRow(Insight, row),
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

const keyOf = ({ finding }: StoredInsight, by: Grouping): string =>
	by === "source_rule" ? finding.rule : by === "insight_type" ? factsOf(finding.rule).type : (finding.entity ?? "");

/**
 * Insights, the worst first, in groups, the group with the most severe first. Insights about no value are about the site, whose group has
 * an empty key.
 */
export function groupInsights(insights: readonly StoredInsight[], by: Grouping, reader: Reader, siteName: string) {
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
	list: readonly StoredInsight[],
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
