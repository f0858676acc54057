import type { EventColumn } from "../model/event-columns.ts";

interface MetricDefinition {
	readonly sql: string;
	/** The rows that count for it: all others could be left out. */
	readonly rows: string;
	/** The column without which no projection answers it, where not every projection does. */
	readonly needs?: EventColumn;
	/** True where the values of groups do not add up to that of all of them. */
	readonly isDistinct?: true;
}

/**
 * A visitor on a day as one number: the visitor's part of the session with the day above it. Entrances of imports that know
 * no visits say how many visitors they stand for.
 */
const visitors =
	"uniqCombinedIf(20)(bitShiftRight(session, 17) + bitShiftLeft(toUInt64(date), 47), (entrance > 0) AND (session > 0)) + sum(visitor)";

/**
 * Metrics of reports. Each but `visitors` is additive: the sum of one measure over the rows of `events`. The
 * expressions are exactly those of the aggregate projections. `revenue` names its table, as the bare name would mean
 * the sum itself. Counts are integers; revenue has four decimals in the currency of the site. Definitions:
 * docs/metrics.md.
 */
export const metrics = {
	entrances: { sql: "sum(entrance)", rows: "entrance != 0" },
	engaged_entrances: { sql: "sum(engaged)", rows: "engaged != 0" },
	page_views: { sql: "sum(page_view)", rows: "page_view != 0" },
	microconversions: { sql: "sum(microconversion)", rows: "microconversion != 0" },
	conversions: { sql: "sum(conversion)", rows: "conversion != 0" },
	revenue: { sql: "sum(events.revenue)", rows: "events.revenue != 0" },
	paid_conversions: {
		sql: "sumIf(conversion, events.revenue > 0)",
		rows: "conversion != 0 AND events.revenue > 0",
		needs: "revenue",
	},
	visit_seconds: { sql: "sum(events.visit_seconds)", rows: "events.visit_seconds != 0", needs: "visit_seconds" },
	visitors: { sql: visitors, rows: "entrance != 0 OR visitor != 0", needs: "session", isDistinct: true },
} as const satisfies Record<string, MetricDefinition>;

/** Name of a metric. */
export type Metric = keyof typeof metrics;

/** Every metric. */
export const allMetrics = Object.keys(metrics) as readonly Metric[];

/** The metrics that answers list unless others are asked for, in their order. All are additive. */
export const metricNames: readonly Metric[] = allMetrics.filter((name) => !("needs" in metrics[name]));

/** Those of some metrics whose values of groups do not add up to that of all of them. */
export const distinctOf = <M extends Metric>(names: readonly M[]): M[] =>
	names.filter((name) => (metrics[name] as MetricDefinition).isDistinct === true);

/** The columns that metrics need of a projection. */
export function columnsFor(names: readonly Metric[]): EventColumn[] {
	return names.flatMap((name): EventColumn[] => {
		const metric: MetricDefinition = metrics[name];
		return metric.needs === undefined ? [] : [metric.needs];
	});
}

/** Values of some metrics. */
export type Measures<M extends Metric = Metric> = Readonly<Record<M, number>>;
