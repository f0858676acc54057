import { readablePath } from "../../../analytics/attribution/canonical-path.ts";
import type { Dimension } from "../../../analytics/catalog/dimensions.ts";
import { type Measures, metricNames } from "../../../analytics/catalog/metrics.ts";
import { figureOf, metricsFor } from "../../../analytics/catalog/rates.ts";
import { runTop, runTotals } from "../../../analytics/query/engine/run.ts";
import type { DateRange } from "../../../analytics/query/question/date-range.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import type { ReportDays } from "./period.ts";

export const shownFigures = [
	"entrances",
	"page_views",
	"bounce_rate",
	"conversions",
	"conversion_rate",
	"revenue",
] as const;
export type ShownFigure = (typeof shownFigures)[number];

const lists = {
	pages: { dimension: "path", metric: "page_views" },
	sources: { dimension: "utm_source", metric: "entrances" },
	countries: { dimension: "country", metric: "entrances" },
} as const satisfies Record<string, { dimension: Dimension; metric: (typeof metricNames)[number] }>;
export type ListName = keyof typeof lists;
const LONGEST = 5;

interface ListLine {
	readonly name: string;
	readonly value: number;
}

export interface ReportFigures {
	readonly now: Readonly<Record<ShownFigure, number>>;
	readonly before: Readonly<Record<ShownFigure, number>>;
	readonly lists: Readonly<Record<ListName, readonly ListLine[]>>;
	/** Neither in this period nor in the one before was there anybody. */
	readonly isEmpty: boolean;
}

export async function readFigures(
	deps: { readonly eventStore: EventStore },
	site: string,
	{ range, before }: ReportDays,
): Promise<ReportFigures> {
	const metrics = metricsFor(shownFigures);
	const totals = (days: DateRange) =>
		runTotals(deps, { site, range: days, dimensions: [], metrics, conditions: [] }).then(filled);
	const listOf = async (name: ListName): Promise<readonly ListLine[]> => {
		const { dimension, metric } = lists[name];
		const query = { site, range, dimensions: [dimension], metrics: [metric], conditions: [] } as const;
		const rows = await runTop(deps, query, { order: [{ by: metric, direction: "desc" }], limit: LONGEST });
		return rows.map((row) => ({ name: readable(dimension, String(row[dimension] ?? "")), value: row[metric] }));
	};
	const [now, then, pages, sources, countries] = await Promise.all([
		totals(range),
		totals(before),
		listOf("pages"),
		listOf("sources"),
		listOf("countries"),
	]);
	const isEmpty = [now, then].every((measures) => metrics.every((name) => measures[name] === 0));
	return { now: shown(now), before: shown(then), lists: { pages, sources, countries }, isEmpty };
}

const readable = (dimension: Dimension, name: string) => (dimension === "path" ? readablePath(name) : name);

const filled = (measures: Partial<Measures>): Measures =>
	Object.fromEntries(metricNames.map((name) => [name, measures[name] ?? 0])) as Measures;

const shown = (measures: Measures) =>
	Object.fromEntries(shownFigures.map((figure) => [figure, figureOf(figure, measures)])) as Record<ShownFigure, number>;
