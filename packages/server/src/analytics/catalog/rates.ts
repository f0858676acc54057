import { DECIMAL_STEPS } from "../model/event-columns.ts";
import type { Measures, Metric } from "./metrics.ts";

// Among whole numbers of the smallest step a half is exact, and rounds away from zero.
function quotient(part: number, whole: number, scale: number): number {
	if (whole === 0) return 0;
	const hundredths = (Math.round(part * DECIMAL_STEPS) * scale) / (whole * (DECIMAL_STEPS / 100));
	return (Math.sign(hundredths) * Math.round(Math.abs(hundredths))) / 100;
}

/** `part / whole`, 2 decimals; 0 when the divisor is 0. */
export function ratio(part: number, whole: number): number {
	return quotient(part, whole, 1);
}

/** `part` as a share of `whole`, 0-100, 2 decimals; 0 when the divisor is 0. */
export function percentage(part: number, whole: number): number {
	return quotient(part, whole, 100);
}

/** A change in percent, not rounded; null against zero or less, as refunds make it: such a base has no percentage. */
export const percentChange = (now: number, before: number): number | null =>
	before > 0 ? ((now - before) / before) * 100 : null;

interface RateDefinition {
	readonly needs: readonly Metric[];
	readonly of: (measures: Measures) => number;
	/** The same over the sums by their names, not rounded, for sorting. */
	readonly sql: string;
	/** True where it is not zero with its two decimals; missing where the sums that it is made of are shown beside it. */
	readonly isShown?: string;
}

const quotientSql = (part: string, whole: string) => `if(${whole} = 0, 0, ${part} / ${whole})`;

/** Figures that are no sums: calculated from the sums of a row, never added up. Definitions: docs/metrics.md. */
export const rates = {
	bounces: {
		needs: ["entrances", "engaged_entrances"],
		of: (row) => row.entrances - row.engaged_entrances,
		sql: "entrances - engaged_entrances",
	},
	bounce_rate: {
		needs: ["entrances", "engaged_entrances"],
		of: (row) => percentage(row.entrances - row.engaged_entrances, row.entrances),
		sql: quotientSql("(entrances - engaged_entrances)", "entrances"),
	},
	pages_per_session: {
		needs: ["page_views", "entrances"],
		of: (row) => ratio(row.page_views, row.entrances),
		sql: quotientSql("page_views", "entrances"),
	},
	conversion_rate: {
		needs: ["conversions", "entrances"],
		of: (row) => Math.min(100, percentage(row.conversions, row.entrances)),
		sql: `least(1, ${quotientSql("conversions", "entrances")})`,
	},
	average_order_value: {
		needs: ["revenue", "paid_conversions"],
		of: (row) => ratio(row.revenue, row.paid_conversions),
		sql: quotientSql("toFloat64(revenue)", "paid_conversions"),
		isShown: "(paid_conversions != 0 AND abs(revenue) * 200 >= paid_conversions)",
	},
	visit_duration: {
		needs: ["visit_seconds", "entrances"],
		of: (row) => ratio(row.visit_seconds, row.entrances),
		sql: quotientSql("visit_seconds", "entrances"),
		isShown: "(entrances != 0 AND visit_seconds * 200 >= entrances)",
	},
} as const satisfies Record<string, RateDefinition>;

/** Name of a rate. */
export type Rate = keyof typeof rates;

/** A figure of a group of rows: a sum, or a value calculated from sums. */
export type Figure = Metric | Rate;

/** True for the name of a rate. */
export function isRate(name: string): name is Rate {
	return Object.hasOwn(rates, name);
}

/** SQL that is true where a figure is not zero; undefined where figures beside it say so. */
export const isShownSql = (figure: Figure): string | undefined =>
	isRate(figure) ? (rates[figure] as RateDefinition).isShown : `${figure} != 0`;

/** The sums that figures are made of. */
export function metricsFor(figures: readonly Figure[]): Metric[] {
	return [
		...new Set(figures.flatMap((figure): readonly Metric[] => (isRate(figure) ? rates[figure].needs : [figure]))),
	];
}

/** The value of a figure, given the sums that it is made of. */
export function figureOf(figure: Figure, measures: Measures): number {
	return isRate(figure) ? rates[figure].of(measures) : measures[figure];
}
