import type { Dimension } from "../site/index.ts";

/** A row of an answer: dimensions and metrics by their names. */
export type QueryRow = Readonly<Record<string, string | number | null | undefined>>;

interface Figure {
	/** Metrics of the API that it is made of. */
	readonly needs: readonly string[];
	/** True where the server can sort by it. */
	readonly canSort: boolean;
	readonly of: (row: QueryRow) => number;
}

const number = (row: QueryRow, name: string): number => Number(row[name] ?? 0);
const rounded = (value: number): number => Math.round(value * 100) / 100;
const quotient = (row: QueryRow, over: string, under: string): number =>
	number(row, under) === 0 ? 0 : number(row, over) / number(row, under);

const counted = (name: string, needs: readonly string[] = [name]): Figure => ({
	needs,
	canSort: true,
	of: (row) => number(row, name),
});
/** The API defines it by sums of the same row: docs/metrics.md. */
const derived = (needs: readonly string[], of: (row: QueryRow) => number): Figure => ({
	needs,
	canSort: false,
	of: (row) => rounded(of(row)),
});

/** Metrics of a pivot. */
export const figures = {
	entrances: counted("entrances"),
	visitors: counted("visitors"),
	page_views: counted("page_views"),
	engaged_entrances: counted("engaged_entrances"),
	bounce_rate: counted("bounce_rate", ["entrances", "engaged_entrances"]),
	visit_duration: counted("visit_duration"),
	pages_per_session: derived(["page_views", "entrances"], (row) => quotient(row, "page_views", "entrances")),
	conversions: counted("conversions"),
	conversion_rate: derived(["conversions", "entrances"], (row) =>
		Math.min(100, quotient(row, "conversions", "entrances") * 100),
	),
	revenue: counted("revenue"),
	average_order_value: counted("average_order_value"),
	microconversions: counted("microconversions"),
} as const satisfies Readonly<Record<string, Figure>>;

/** The name of a figure. */
export type FigureKey = keyof typeof figures;

export const figureKeys = Object.keys(figures) as readonly FigureKey[];
export const isFigure = (name: string): name is FigureKey => Object.hasOwn(figures, name);

/** The metrics to ask for some figures. */
export const metricsOf = (keys: readonly FigureKey[]): readonly string[] => [
	...new Set(keys.flatMap((key) => figures[key].needs)),
];

/** The value of a figure in a row; a row that is not there counts nothing. */
export const amountOf = (key: FigureKey, row: QueryRow | undefined): number => (row ? figures[key].of(row) : 0);

/** The figures of a row as they were before; undefined where it is not compared. */
export function earlierOf(row: QueryRow): QueryRow | undefined {
	const earlier = Object.entries(row).filter(([name]) => name.endsWith("_prev"));
	return earlier.length === 0
		? undefined
		: Object.fromEntries(earlier.map(([name, value]) => [name.slice(0, -"_prev".length), value]));
}

const ofEvents: readonly FigureKey[] = ["conversions", "revenue", "average_order_value", "microconversions"];

/** The figures that mean something by these dimensions: types are of events, and pages do not last. */
export function meaningful(keys: readonly FigureKey[], dimensions: readonly Dimension[]): readonly FigureKey[] {
	if (dimensions.includes("conversion_type")) return keys.filter((key) => ofEvents.includes(key));
	const byPage = dimensions.includes("path") || dimensions.includes("content_grouping");
	return byPage ? keys.filter((key) => key !== "visit_duration") : keys;
}
