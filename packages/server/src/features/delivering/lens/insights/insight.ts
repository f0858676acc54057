import { type Finding, severities } from "../rules/finding.ts";
import type { RuleName } from "../rules/rule-names.ts";
import type { Compared } from "../rules/week-figures.ts";
import type { InsightRow } from "./insights-store.ts";

/** A finding with its days. */
export interface DatedFinding extends Finding {
	readonly days: Compared<{ readonly start: string; readonly end: string }>;
}

/** An insight as it is read. */
export interface Insight {
	readonly row: InsightRow;
	readonly finding: DatedFinding;
}

/** Reads a stored insight. */
export const insightOf = (row: InsightRow): Insight => ({
	row,
	finding: { ...(JSON.parse(row.finding) as DatedFinding), rule: row.rule as RuleName, severity: row.severity },
});

/** Orders insights: the worst first, of equals the newest, those about the whole site, and by their rules. */
export const byWeight = ({ row: one }: Insight, { row: other }: Insight): number =>
	severities.indexOf(one.severity) - severities.indexOf(other.severity) ||
	other.created_at - one.created_at ||
	Number(one.entity !== null) - Number(other.entity !== null) ||
	compareTexts(one.rule, other.rule) ||
	compareTexts(one.id, other.id);

const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
