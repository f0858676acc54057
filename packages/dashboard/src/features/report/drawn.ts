import { days, exact, tick } from "../../lib/format.ts";
import { changeText } from "../../ui/change/change.tsx";
import { changeOf } from "../../ui/change/change-of.ts";
import { type Days, type Metric, metrics } from "../site/index.ts";
import { type ChartData, chartData } from "./chart-points.ts";
import { t } from "./chart-texts.ts";
import { chartable, type Overview, type SeriesKey, type Step, totalBefore, totalOf } from "./figures.ts";
import { longName } from "./point-names.ts";
import type { Asked } from "./use-overview.ts";

/** A metric as the chart writes it. */
export interface DrawnMetric extends Metric {
	readonly key: SeriesKey;
	readonly currency: string;
	readonly exact: (value: number) => string;
	readonly axis: { readonly text: (value: number) => string; readonly whole: boolean };
}

/** All that the chart, its table and its file tell. */
export interface Drawn extends ChartData {
	readonly metric: DrawnMetric;
	readonly second: DrawnMetric | undefined;
	readonly step: Step;
	readonly days: Days;
	readonly daysBefore: Days | undefined;
	/** The site's clock, where the days hold today. */
	readonly runsUntil: string | undefined;
	/** One sentence that says what there is to see. */
	readonly summary: string;
}

function drawnMetric(key: SeriesKey, currency: string): DrawnMetric {
	const metric = metrics[key];
	return {
		...metric,
		key,
		currency,
		exact: (value) => exact(value, metric.kind, currency),
		axis: { text: (value) => tick(value, metric.kind, currency), whole: metric.kind === "count" },
	};
}

/** Data to draw: while another metric is loading, the one before. */
export function drawnOf(overview: Overview, asked: Asked, currency: string): Drawn {
	const has = (key: SeriesKey) => overview[`${key}_series`] !== undefined;
	const key = has(asked.metric) ? asked.metric : (chartable.find(has) ?? asked.metric);
	const second = asked.second !== undefined && has(asked.second) ? asked.second : undefined;
	const { step, daysBefore } = asked;
	const data = chartData(overview, { metric: key, second, step, endBefore: daysBefore?.to }, asked.clock);
	const drawn = {
		...data,
		metric: drawnMetric(key, currency),
		second: second && drawnMetric(second, currency),
		step,
		days: { from: overview.date_range.start_date, to: overview.date_range.end_date },
		daysBefore,
		runsUntil: asked.runsUntil,
	};
	return { ...drawn, summary: summaryOf(drawn, overview) };
}

function summaryOf({ metric, points, step, ...drawn }: Omit<Drawn, "summary">, overview: Overview): string {
	const range = days(drawn.days.from, drawn.days.to);
	const [now, before] = [totalOf(overview, metric.key), totalBefore(overview, metric.key)];
	const known = points.flatMap(({ at, now: value }) => (value === undefined ? [] : [{ at, value }]));
	const sorted = known.toSorted((one, other) => one.value - other.value);
	const [least, most] = [sorted.at(0), sorted.at(-1)];
	return [
		t.total(metric.label, t.steps[step], range, metric.exact(now)),
		...(before !== undefined && drawn.daysBefore
			? [
					t.against(
						changeText(changeOf(now, before, metric.kind), metric.currency),
						days(drawn.daysBefore.from, drawn.daysBefore.to),
						metric.exact(before),
					),
				]
			: []),
		...(most && known.length > 1 ? [t.most(longName(most.at, step), metric.exact(most.value))] : []),
		...(least && known.length > 1 ? [t.least(longName(least.at, step), metric.exact(least.value))] : []),
	].join("; ");
}
