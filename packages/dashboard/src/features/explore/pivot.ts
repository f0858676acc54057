import { viewValue, viewValues, withView } from "../../lib/view.ts";
import type { Dimension } from "../site/index.ts";
import { type FigureKey, isFigure, type QueryRow } from "./figures.ts";

/** Dimensions of a pivot, in the order of the menus. */
export const dimensions = [
	"utm_source",
	"utm_medium",
	"utm_campaign",
	"utm_term",
	"utm_content",
	"channel_group",
	"referrer_domain",
	"landing_page",
	"path",
	"content_grouping",
	"country",
	"device_type",
	"browser",
	"os",
	"date",
	"day_of_week",
	"hour",
	"conversion_type",
] as const satisfies readonly Dimension[];

export const looks = ["table", "bars", "lines"] as const;
/** How a pivot is shown. */
export type Look = (typeof looks)[number];

/** A pivot: rows, columns and metrics. */
export interface Pivot {
	readonly rows: readonly Dimension[];
	readonly columns: readonly Dimension[];
	readonly figures: readonly FigureKey[];
	readonly look: Look;
}

/** Groups that a table can still be read with. */
export const mostRows = 3;
export const mostColumns = 2;
export const mostFigures = 6;

/** The pivot of an address that names none. */
const first: Pivot = { rows: ["utm_source"], columns: ["device_type"], figures: ["entrances"], look: "table" };

const isDimension = (name: string): name is Dimension => dimensions.some((known) => known === name);
const once = <T>(values: readonly T[]): readonly T[] => [...new Set(values)];

/** Reads the choices of an address: `row:utm_source`, `col:device_type`, `fig:revenue`, `as:bars`. */
export function readPivot(view: readonly string[]): Pivot {
	const rows = once(viewValues(view, "row").filter(isDimension)).slice(0, mostRows);
	const columns = once(viewValues(view, "col").filter(isDimension))
		.filter((name) => !rows.includes(name))
		.slice(0, mostColumns);
	const figures = once(viewValues(view, "fig").filter(isFigure)).slice(0, mostFigures);
	const look = looks.find((name) => name === viewValue(view, "as")) ?? "table";
	if (rows.length + columns.length + figures.length === 0) return { ...first, look };
	return { rows, columns, figures: figures.length > 0 ? figures : first.figures, look };
}

/** Its counterpart. */
export const writePivot = ({ rows, columns, figures, look }: Pivot): readonly string[] =>
	withView(
		[...withView([], "row", rows), ...withView([], "col", columns), ...withView([], "fig", figures)],
		"as",
		look === "table" ? [] : [look],
	);

/** A value of a dimension; null where an hour is not known. */
export type Value = string | number | null;

/** A row of the table, with its figures by column and the rows below it. */
export interface Group {
	/** The values of the row's dimensions, the outermost first. */
	readonly path: readonly Value[];
	readonly total: QueryRow;
	/** By {@link keyOf} of the columns' dimensions. */
	readonly cells: ReadonlyMap<string, QueryRow>;
	readonly below: readonly Group[];
}

const valuesOf = (row: QueryRow, dimensions: readonly Dimension[]): readonly Value[] =>
	dimensions.map((name) => row[name] ?? null);

/** Identity of a row. */
export const keyOf = (row: QueryRow, dimensions: readonly Dimension[]): string =>
	JSON.stringify(valuesOf(row, dimensions));

/** The answers of one level of groups: its own rows, and the same split by the columns. */
export interface Level {
	readonly rows: readonly QueryRow[];
	readonly cells: readonly QueryRow[];
}

/**
 * The rows of a table as a tree. Each level was asked for itself, so a group's figures are the server's and never the sum of
 * those below it: visitors and rates cannot be added.
 */
export function treeOf(levels: readonly Level[], pivot: Pick<Pivot, "rows" | "columns">, depth = 1): readonly Group[] {
	const level = levels[depth - 1];
	if (level === undefined) return [];
	const dimensions = pivot.rows.slice(0, depth);
	const cells = Map.groupBy(level.cells, (row) => keyOf(row, dimensions));
	const deeper = treeOf(levels, pivot, depth + 1);
	const below = Map.groupBy(deeper, ({ path }) => JSON.stringify(path.slice(0, depth)));
	return level.rows.map((row) => {
		const key = keyOf(row, dimensions);
		return {
			path: valuesOf(row, dimensions),
			total: row,
			cells: new Map((cells.get(key) ?? []).map((cell) => [keyOf(cell, pivot.columns), cell])),
			below: below.get(key) ?? [],
		};
	});
}
