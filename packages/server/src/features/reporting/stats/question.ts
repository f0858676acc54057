import type { Dimension } from "../../../analytics/catalog/dimensions.ts";
import { metricsFor } from "../../../analytics/catalog/rates.ts";
import { dimensionFilter } from "../../../analytics/query/question/dimension-filter.ts";
import type { Order, ReportQuery } from "../../../analytics/query/question/report-query.ts";
import { type AddedFigure, extraDimensions, extraFigures, type Includable } from "./parameters.ts";
import type { StatsRequest } from "./parse.ts";
import { columns, figureNamed, type RowShape } from "./reports.ts";

/** The parameters that decide which rows a report has and in which order. */
export interface RowsQuery {
	readonly sort_by?: string;
	readonly sort_order?: "asc" | "desc";
	readonly search?: string;
	readonly include?: readonly (Includable | AddedFigure)[];
	readonly include_utm?: boolean;
	readonly include_content_group?: boolean;
}

/** The columns that a request adds to the rows. */
export function addedColumns({ takes }: RowShape, query: RowsQuery): Dimension[] {
	if (!takes.includes("columns")) return [];
	return extraDimensions(query.include_utm ?? false, query.include ?? []);
}

/** A report with the numbers that a request adds to it, and with one row of a page for all its content groups where it asks for that. */
export function shapeFor<Shape extends RowShape>(shape: Shape, query: RowsQuery): Shape {
	const added = extraFigures(query.include ?? []);
	const { content_grouping: _, ...page } = shape.key;
	const key = query.include_content_group === false ? page : shape.key;
	return { ...shape, key, columns: { ...shape.columns, ...columns(...added) } };
}

/** Query of a report. */
export function questionOf(shape: RowShape, request: StatsRequest, query: RowsQuery): ReportQuery {
	const keys = [...new Set(Object.values(shape.key))];
	const [first] = keys;
	const { search = "" } = query;
	const found = search === "" || first === undefined ? [] : [dimensionFilter(first, "search", [search])];
	return {
		site: request.site,
		range: request.range,
		conditions: [...request.conditions, ...found],
		dimensions: [...keys, ...addedColumns(shape, query)],
		metrics: metricsFor(Object.values(shape.columns)),
		shown: Object.values(shape.columns),
	};
}

/** The order that a request asks for, else the report's own. */
export function orderOf(shape: RowShape, query: RowsQuery): Order[] {
	return [{ by: figureNamed(shape, query.sort_by ?? shape.sortBy[0]), direction: query.sort_order ?? "desc" }];
}
