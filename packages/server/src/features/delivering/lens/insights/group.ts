import { timestamp } from "../../../../platform/lib/timestamp.ts";
import { severities, totalImpact } from "../rules/finding.ts";
import { ruleFacts } from "../rules/rule-names.ts";
import { groupTitle } from "../words/insight-words.ts";
import { byWeight, type Insight } from "./insights-store.ts";
import { presentInsight, type Reader } from "./present.ts";
import type { groupings } from "./schemas.ts";

type Grouping = (typeof groupings)[number];

const keyOf = ({ finding }: Insight, by: Grouping): string =>
	by === "source_rule" ? finding.rule : by === "insight_type" ? ruleFacts[finding.rule].type : (finding.entity ?? "");

/**
 * Insights in groups, the group with the most severe first. Insights about no value are about the site, whose group has
 * an empty key.
 */
export function groupInsights(insights: readonly Insight[], by: Grouping, reader: Reader, siteName: string) {
	const groups = Map.groupBy(insights, (insight) => keyOf(insight, by));
	return [...groups]
		.map(([key, list]) => presentGroup(key, list.toSorted(byWeight), { by, reader, siteName }))
		.sort(
			(one, other) =>
				severities.indexOf(one.max_severity) - severities.indexOf(other.max_severity) ||
				other.insight_count - one.insight_count ||
				(one.group_key < other.group_key ? -1 : 1),
		);
}

interface Shown {
	readonly by: Grouping;
	readonly reader: Reader;
	readonly siteName: string;
}

function presentGroup(key: string, list: readonly Insight[], { by, reader, siteName }: Shown) {
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
		insight_type: ruleFacts[worst.finding.rule].type,
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
