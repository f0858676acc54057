import { timestamp, timestampOrNull } from "../../../../platform/lib/timestamp.ts";
import { ruleFacts } from "../rules/rule-names.ts";
import { wordsOf } from "../words/insight-words.ts";
import type { Language } from "../words/numbers.ts";
import { deepLink } from "./deep-link.ts";
import type { Insight } from "./insight.ts";

/** For whom something is written. */
export interface Reader {
	readonly language: Language;
	readonly currency: string;
}

/** Evidence of an insight. */
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

/** An insight on the wire. */
export function presentInsight(insight: Insight, { language, currency }: Reader) {
	const { row, finding } = insight;
	const { type, category, tool } = ruleFacts[finding.rule];
	return {
		id: row.id,
		account_id: row.site_id,
		insight_type: type,
		severity: row.severity,
		category,
		...wordsOf(finding, language, currency),
		economic_impact: finding.impact,
		source_tool: tool,
		source_rule: finding.rule,
		related_entity: finding.entity,
		deep_link: deepLink(row.site_id, finding, finding.days),
		metadata: { is_open: row.open_key !== null, last_found_on: row.last_day, currency },
		created_at: timestamp(row.created_at),
		expires_at: timestamp(row.expires_at),
		read_at: timestampOrNull(row.read_at),
		dismissed_at: timestampOrNull(row.dismissed_at),
		is_read: row.read_at !== null,
		is_dismissed: row.dismissed_at !== null,
		is_locked: false,
		locked_tier: null,
		evidence: presentEvidence(insight),
	};
}
