import { readablePath } from "../../../analytics/attribution/canonical-path.ts";
import type { Dimension } from "../../../analytics/catalog/dimensions.ts";
import { type Measures, metricNames } from "../../../analytics/catalog/metrics.ts";
import { figureOf, metricsFor } from "../../../analytics/catalog/rates.ts";
import { runCompared, runTotals } from "../../../analytics/query/engine/run.ts";
import type { DateRange } from "../../../analytics/query/question/date-range.ts";
import { periods } from "../../../analytics/query/question/periods.ts";
import { type ChangeQuestion, runExplainedChange } from "../../../analytics/query/reports/explained-change.ts";
import { baselineStart } from "../../../analytics/query/reports/site-days.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import type { Frequency } from "./store.ts";

const MORNING = 7;

/** The first day of the week or month that runs, on the site's clock; a new one begins in the morning of its first day. */
export function runningPeriod(frequency: Frequency, timezone: string, nowMs: number): Temporal.PlainDate {
	const local = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(timezone).toPlainDateTime();
	// By what clocks show, so that a change of the clocks moves no morning.
	const day = local.subtract({ hours: MORNING }).toPlainDate();
	return (frequency === "weekly" ? periods.this_week(day) : periods.this_month(day)).start;
}

/** The days that a report is about, and those that they are compared with. */
export interface ReportDays {
	readonly range: DateRange;
	readonly before: DateRange;
}

/** The last whole week or month before a period, and the one before that. */
export function reportDays(frequency: Frequency, period: Temporal.PlainDate): ReportDays {
	const last = frequency === "weekly" ? periods.last_week : periods.last_month;
	const range = last(period);
	return { range, before: last(range.start) };
}

const shownFigures = ["entrances", "page_views", "bounce_rate", "conversions", "conversion_rate", "revenue"] as const;
export type ShownFigure = (typeof shownFigures)[number];

const lists = {
	pages: { dimensions: ["path"], metric: "page_views" },
	sources: { dimensions: ["utm_source", "utm_medium"], metric: "entrances" },
	countries: { dimensions: ["country"], metric: "entrances" },
} as const satisfies Record<string, { dimensions: readonly Dimension[]; metric: (typeof metricNames)[number] }>;
export type ListName = keyof typeof lists;
const LONGEST = 5;

export type ReportFigures = Awaited<ReturnType<typeof readFigures>>;

interface FigureDeps {
	readonly eventStore: EventStore;
}

export async function readFigures(deps: FigureDeps, site: string, { range, before: earlier }: ReportDays) {
	const metrics = metricsFor(shownFigures);
	const totals = (days: DateRange) =>
		runTotals(deps, { site, range: days, dimensions: [], metrics, conditions: [] }).then(filled);
	const listOf = async (name: ListName) => {
		const { dimensions, metric } = lists[name];
		const query = { site, range, dimensions, metrics: [metric], conditions: [] } as const;
		const order = [{ by: metric, direction: "desc" }] as const;
		const { rows } = await runCompared(deps, query, earlier, { order, limit: LONGEST });
		return rows.map(({ row, earlier: then }) => ({
			names: dimensions.map((dimension) => readable(dimension, String(row[dimension] ?? ""))),
			value: row[metric],
			before: then[metric],
		}));
	};
	const [now, then, pages, sources, countries, { baseline_start }, cause] = await Promise.all([
		totals(range),
		totals(earlier),
		listOf("pages"),
		listOf("sources"),
		listOf("countries"),
		baselineStart(deps, { site, comparison: earlier, conditions: [] }),
		causeOf(deps, { site, metric: "entrances", range, earlier }),
	]);
	const isEmpty = [now, then].every((measures) => metrics.every((name) => measures[name] === 0));
	return {
		now: shown(now),
		before: shown(then),
		/** The first day with data, where the period before begins earlier: nothing is compared with it. */
		baselineStart: baseline_start,
		/** Source and medium of more than half of the change in visits; undefined where there are no such ones. */
		cause,
		lists: { pages, sources, countries },
		isEmpty,
	};
}

/** The source, and its medium, that more than half of a change comes from. */
async function causeOf(deps: FigureDeps, question: Omit<ChangeQuestion, "dimensions" | "conditions">) {
	const mainValue = async (dimension: Dimension, conditions: ChangeQuestion["conditions"]) => {
		const asked = { ...question, dimensions: [dimension], conditions };
		const { total, dimensions } = await runExplainedChange(deps, asked);
		return { total: total.change, rows: dimensions[0]?.rows ?? [] };
	};
	const { total, rows } = await mainValue("utm_source", []);
	// A larger change the other way comes first.
	const isMost = ({ change }: { readonly change: number }) => change / total > 0.5;
	const source = total === 0 ? undefined : rows.find(isMost)?.value;
	if (source === undefined) return undefined;
	const ofSource = [{ dimension: "utm_source", operator: "eq", values: [source] }] as const;
	const medium = (await mainValue("utm_medium", ofSource)).rows.find(isMost)?.value;
	return [source, medium ?? ""];
}

const readable = (dimension: Dimension, name: string) => (dimension === "path" ? readablePath(name) : name);

const filled = (measures: Partial<Measures>): Measures =>
	Object.fromEntries(metricNames.map((name) => [name, measures[name] ?? 0])) as Measures;

const shown = (measures: Measures) =>
	Object.fromEntries(shownFigures.map((figure) => [figure, figureOf(figure, measures)])) as Record<ShownFigure, number>;
