import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { ask } from "../../api/batch.ts";
import type { Answer } from "../../api/client.ts";
import { baselineOf } from "../../ui/change/baseline.ts";
import type { ComparedQuery, Days, Dimension } from "../site/index.ts";
import { figureKeys, figures, meaningful, metricsOf, type QueryRow } from "./figures.ts";
import { type Group, type Level, type Pivot, treeOf, type Value } from "./pivot.ts";

/** The subject of a pivot query. */
export interface Choice {
	readonly site_id: string;
	readonly segment?: string;
	readonly segment_filters?: string;
	readonly days: Days;
	/** The comparison of the totals. */
	readonly compared: Pick<ComparedQuery, "compare" | "compare_align" | "compare_start" | "compare_end">;
}

/** The visible part of a pivot. */
export interface PivotPage {
	readonly sort: { readonly field: string; readonly direction: "asc" | "desc" };
	/** From 0 on. */
	readonly page: number;
}

/** A pivot with its figures. It says what it is of, so that it can be shown while the next one is on its way. */
export interface PivotAnswer {
	readonly pivot: Pivot;
	readonly groups: readonly Group[];
	/** The columns, the greatest first, with their totals. */
	readonly columns: readonly QueryRow[];
	/** Columns that are in the totals alone. */
	readonly columnsLeftOut: number;
	readonly total: QueryRow;
	/** The site's first day with data, where the compared period begins before it. */
	readonly baseline: string | undefined;
	readonly totalRows: number;
	readonly pageSize: number;
}

/** Columns beyond these are in the totals alone. */
const mostColumnGroups = 8;
const mostCells = 10_000;
/** Dimensions in which an order of their own says more than one by figures. */
const ordered: readonly string[] = ["date", "hour", "day_of_week"];

/** More days than any range has. */
const allDays = 1_000;

/** Rows of a page: fewer where each has rows below it, all of them where they are points of lines. */
function pageSizeOf({ rows, look }: Pick<Pivot, "rows" | "look">): number {
	if (look === "lines" && rows[0] === "date") return allDays;
	return rows.length > 1 ? 20 : 50;
}

/** The order of the address; else the one that the first dimension has by itself, else by the first figure. */
export function sortingOf(sort: string | undefined, { rows, figures: keys }: Pivot): PivotPage["sort"] {
	const field = sort?.replace(/^-/, "");
	const sortable = keys.find((key) => figures[key].canSort);
	if (field !== undefined && (field === rows[0] || keys.some((key) => key === field && figures[key].canSort))) {
		return { field, direction: sort?.startsWith("-") ? "desc" : "asc" };
	}
	if (rows[0] !== undefined && ordered.includes(rows[0])) return { field: rows[0], direction: "asc" };
	return { field: sortable ?? metricsOf(keys)[0] ?? "entrances", direction: "desc" };
}

/** The pivot with its figures, as a query. */
export const pivotQuery = (choice: Choice, pivot: Pivot, page: PivotPage) =>
	queryOptions({
		queryKey: ["pivot", choice, pivot, page],
		queryFn: ({ signal }) => askPivot(choice, pivot, page, signal),
		placeholderData: keepPreviousData,
	});

interface Question {
	readonly dimensions: readonly Dimension[];
	readonly sort?: PivotPage["sort"];
	readonly limit?: number;
	readonly offset?: number;
	readonly within?: Within;
	/** Rows that are totals have what they were before. */
	readonly isTotal?: true;
}

interface Within {
	readonly filters?: Readonly<Record<string, readonly Value[]>>;
	readonly days?: Days;
}

type Rows = Answer<"POST /stats/query">;

async function askPivot(
	choice: Choice,
	asked: Pivot,
	{ sort, page }: PivotPage,
	signal: AbortSignal,
): Promise<PivotAnswer> {
	const keys = shownFigures(asked);
	const pivot: Pivot = { ...asked, figures: keys };
	const { rows, columns } = pivot;
	const put = (question: Question) => query(choice, keys, question, signal);
	const pageSize = pageSizeOf(pivot);
	const [total, across, outer] = await Promise.all([
		put({ dimensions: [], limit: 1, isTotal: true }),
		columns.length > 0 ? put({ dimensions: columns, sort: columnOrder(pivot), limit: mostColumnGroups }) : undefined,
		rows.length > 0
			? put({ dimensions: rows.slice(0, 1), sort, limit: pageSize, offset: page * pageSize, isTotal: true })
			: undefined,
	]);
	const shown = within(rows[0], outer?.data ?? []);
	const levels = await Promise.all(
		rows.map(async (_, at): Promise<Level> => {
			const dimensions = rows.slice(0, at + 1);
			const [own, cells] = await Promise.all([
				at === 0 ? outer : put({ dimensions, sort, limit: mostCells, within: shown, isTotal: true }),
				across && put({ dimensions: [...dimensions, ...columns], limit: mostCells, within: shown }),
			]);
			return { rows: own?.data ?? [], cells: cells?.data ?? [] };
		}),
	);
	return {
		pivot,
		groups: treeOf(levels, pivot),
		columns: across?.data ?? [],
		columnsLeftOut: Math.max(0, (across?.meta.total_rows ?? 0) - mostColumnGroups),
		total: total.data[0] ?? {},
		baseline: baselineOf(total),
		totalRows: outer?.meta.total_rows ?? 0,
		pageSize,
	};
}

/** The figures that mean something by these dimensions; at least one. */
function shownFigures({ figures: keys, rows, columns }: Pivot): Pivot["figures"] {
	const known = meaningful(keys, [...rows, ...columns]);
	return known.length > 0 ? known : meaningful(figureKeys, [...rows, ...columns]).slice(0, 1);
}

const columnOrder = ({ columns, figures: keys }: Pivot): PivotPage["sort"] =>
	columns[0] !== undefined && ordered.includes(columns[0])
		? { field: columns[0], direction: "asc" }
		: { field: metricsOf(keys)[0] ?? "entrances", direction: "desc" };

/** Filter that limits a query to the outer groups of a page; rows of other groups are dropped afterwards. */
function within(dimension: Dimension | undefined, rows: readonly QueryRow[]): Within {
	if (dimension === undefined || rows.length === 0) return {};
	const values = rows.map((row) => row[dimension] ?? null);
	if (dimension === "date") {
		const days = values.map(String).toSorted();
		return { days: { from: days[0] ?? "", to: days.at(-1) ?? "" } };
	}
	return values.includes(null) ? {} : { filters: { [dimension]: values } };
}

function query(
	{ days, compared, ...choice }: Choice,
	keys: Pivot["figures"],
	{ dimensions, sort, limit, offset, within: inside, isTotal }: Question,
	signal: AbortSignal,
): Promise<Rows> {
	const { from, to } = inside?.days ?? days;
	const fields = new Set<string>([...dimensions, ...metricsOf(keys), "bounce_rate"]);
	return ask(
		"POST /stats/query",
		{
			...choice,
			date_from: from,
			date_to: to,
			dimensions,
			metrics: metricsOf(keys),
			...(sort && fields.has(sort.field) && { order_by: [sort] }),
			...(limit !== undefined && { limit }),
			...(offset !== undefined && offset > 0 && { offset }),
			...(inside?.filters && { filters: inside.filters }),
			// No day is in both periods.
			...(isTotal &&
				compared.compare &&
				!dimensions.includes("date") && { ...compared, compare_rows: "joined" as const }),
		},
		signal,
	);
}
