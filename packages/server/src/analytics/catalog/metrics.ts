import type { EventColumn } from "../model/event-columns.ts";

interface MetricDefinition {
	readonly sql: `sum(${EventColumn})` | `sum(events.${EventColumn})`;
}

/**
 * The additive metrics: each is the sum of one measure over the rows of `events`. Plain sums, as aggregate
 * projections hold exactly these. `revenue` names its table, as the bare name would mean the sum itself.
 * Counts are integers; revenue has four decimals in the currency of the site. Definitions: docs/metrics.md.
 */
export const metrics = {
	entrances: { sql: "sum(entrance)" },
	engaged_entrances: { sql: "sum(engaged)" },
	page_views: { sql: "sum(page_view)" },
	microconversions: { sql: "sum(microconversion)" },
	conversions: { sql: "sum(conversion)" },
	revenue: { sql: "sum(events.revenue)" },
} as const satisfies Record<string, MetricDefinition>;

/** Name of an additive metric. */
export type Metric = keyof typeof metrics;

/** All additive metrics, in the order in which answers list them. */
export const metricNames = Object.keys(metrics) as readonly Metric[];

/** Sums of some metrics. */
export type Measures<M extends Metric = Metric> = Readonly<Record<M, number>>;
