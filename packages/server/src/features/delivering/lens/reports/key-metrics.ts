import type { Measures } from "../../../../analytics/catalog/metrics.ts";
import { figureOf, percentChange } from "../../../../analytics/catalog/rates.ts";
import type { Unit } from "../rules/finding.ts";
import type { Compared } from "../rules/week-figures.ts";
import type { ReportSums } from "./reports-store.ts";

const FLAT_PERCENT = 1;

export interface KeyMetric {
	readonly current: number;
	/** Null, as all that follows from it, where there was nothing before. */
	readonly previous: number | null;
	readonly change_pct: number | null;
	readonly change_abs: number | null;
	readonly trend: Trend | null;
	readonly unit: Unit;
}

export const trends = ["up", "down", "flat"] as const;
type Trend = (typeof trends)[number];

const figures = {
	revenue: ["revenue", "currency"],
	conversions: ["conversions", "count"],
	entrances: ["entrances", "count"],
	pageviews: ["page_views", "count"],
	conversion_rate: ["conversion_rate", "percent"],
	bounce_rate: ["bounce_rate", "percent"],
	aov: ["average_order_value", "currency"],
} as const;

export type KeyMetricName = keyof typeof figures;

const round = (value: number): number => Math.round(value * 100) / 100;

/** Rises and falls of less than one percent are none. */
export const trendOf = (change: number | null): Trend | null =>
	change === null ? null : Math.abs(change) < FLAT_PERCENT ? "flat" : change > 0 ? "up" : "down";

/** A change in percent; null where there was nothing before, or less than nothing. */
export function changeOf(now: number, before: number): number | null {
	const change = percentChange(now, before);
	return change === null ? null : round(change);
}

export function keyMetricsOf({ now, before }: Compared<ReportSums>): Record<KeyMetricName, KeyMetric> {
	const hasBefore = before.entrances > 0 || before.page_views > 0;
	const entries = Object.entries(figures).map(([name, [figure, unit]]) => {
		const of = (sums: ReportSums) => {
			const measures: Measures = { visit_seconds: 0, visitors: 0, paid_conversions: sums.conversions, ...sums };
			return round(figureOf(figure, measures));
		};
		const [current, previous] = [of(now), of(before)];
		const change = hasBefore ? changeOf(current, previous) : null;
		const metric: KeyMetric = {
			current,
			previous: hasBefore ? previous : null,
			change_pct: change,
			change_abs: hasBefore ? round(current - previous) : null,
			trend: trendOf(change),
			unit,
		};
		return [name, metric];
	});
	return Object.fromEntries(entries) as Record<KeyMetricName, KeyMetric>;
}
