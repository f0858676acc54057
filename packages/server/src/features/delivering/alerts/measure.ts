import type { Condition } from "../../../analytics/catalog/filters.ts";
import type { Figure } from "../../../analytics/catalog/rates.ts";
import { parseAdvancedFilters } from "../../../analytics/query/question/advanced-filters.ts";
import { placed } from "../../../analytics/query/question/bad-question.ts";
import { ofHits } from "../../../analytics/query/question/reading.ts";
import type { Rule } from "./rule-fields.ts";
import { alertMetrics } from "./vocabulary.ts";

/** The measured quantity of a rule: a metric of stored hits that meet conditions, or the share of refused hits. */
export type Measure =
	| { readonly kind: "hits"; readonly figure: Figure; readonly conditions: readonly Condition[] }
	| { readonly kind: "refused" };

type Measuring = Pick<Rule, "alert_type" | "metric" | "custom_condition">;

/** The measured quantity of a rule; undefined if it names no metric. 422 for invalid filters. */
export function measureOf(rule: Measuring): Measure | undefined {
	if (rule.alert_type === "error_rate") return { kind: "refused" };
	const figure = figureOf(rule);
	if (figure === undefined) return undefined;
	const { conversion_type: type, utm_source: source, filters = "" } = rule.custom_condition ?? {};
	const conditions: Condition[] = [
		...(type === undefined ? [] : [{ dimension: "conversion_type", operator: "eq", values: [type] } as const]),
		...(source === undefined ? [] : [{ dimension: "utm_source", operator: "eq", values: [source] } as const]),
		...placed("body.custom_condition.filters", () => parseAdvancedFilters(filters, ofHits)),
	];
	return { kind: "hits", figure, conditions };
}

const figureOf = ({ alert_type: type, metric, custom_condition: custom }: Measuring): Figure | undefined =>
	type === "source_change" ? "entrances" : (alertMetrics[metric] ?? custom?.metric);

/** Filters were checked when the rule was stored; a later version may read them differently. */
export function readableMeasure(rule: Measuring): Measure | undefined {
	try {
		return measureOf(rule);
	} catch {
		return undefined;
	}
}
