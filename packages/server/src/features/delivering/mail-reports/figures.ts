import { readablePath } from "../../../analytics/attribution/canonical-path.ts";
import type { Dimension } from "../../../analytics/catalog/dimensions.ts";
import { type Measures, metricNames } from "../../../analytics/catalog/metrics.ts";
import { figureOf, metricsFor } from "../../../analytics/catalog/rates.ts";
import { runTotals } from "../../../analytics/query/engine/run.ts";
import { runCompared } from "../../../analytics/query/engine/run-compared.ts";
import type { DateRange } from "../../../analytics/query/question/date-range.ts";
import { baselineStart } from "../../../analytics/query/reports/baseline-start.ts";
import { type ChangeQuestion, runExplainedChange } from "../../../analytics/query/reports/explained-change.ts";
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
	pages: { dimensions: ["path"], metric: "page_views" },
	sources: { dimensions: ["utm_source", "utm_medium"], metric: "entrances" },
	countries: { dimensions: ["country"], metric: "entrances" },
} as const satisfies Record<string, { dimensions: readonly Dimension[]; metric: (typeof metricNames)[number] }>;
export type ListName = keyof typeof lists;
const LONGEST = 5;

interface ListLine {
	/** The values of its dimensions. */
	readonly names: readonly string[];
	readonly value: number;
	readonly before: number;
}

export interface ReportFigures {
	readonly now: Readonly<Record<ShownFigure, number>>;
	readonly before: Readonly<Record<ShownFigure, number>>;
	/** The first day with data, where the period before begins earlier: nothing is compared with it. */
	readonly baselineStart: string | undefined;
	/** Source and medium of more than half of the change in visits; undefined where there are no such ones. */
	readonly cause: readonly string[] | undefined;
	readonly lists: Readonly<Record<ListName, readonly ListLine[]>>;
	/** Neither in this period nor in the one before was there anybody. */
	readonly isEmpty: boolean;
}

interface FigureDeps {
	readonly eventStore: EventStore;
}

export async function readFigures(
	deps: FigureDeps,
	site: string,
	{ range, before: earlier }: ReportDays,
): Promise<ReportFigures> {
	const metrics = metricsFor(shownFigures);
	const totals = (days: DateRange) =>
		runTotals(deps, { site, range: days, dimensions: [], metrics, conditions: [] }).then(filled);
	const listOf = async (name: ListName): Promise<readonly ListLine[]> => {
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
	const found = { baselineStart: baseline_start, cause, lists: { pages, sources, countries }, isEmpty };
	return { now: shown(now), before: shown(then), ...found };
}

/** The source, and its medium, that more than half of a change comes from. */
async function causeOf(
	deps: FigureDeps,
	question: Omit<ChangeQuestion, "dimensions" | "conditions">,
): Promise<readonly string[] | undefined> {
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
