import { type Dimension, dimensionOf } from "../../catalog/dimensions.ts";
import { type Metric, metrics } from "../../catalog/metrics.ts";
import { rowSettings } from "../../catalog/projections.ts";
import { eventsWhere, metricColumns, overParts, type Params, type Statement } from "../engine/compile.ts";
import { flagColumns, flags, type InPeriods } from "../engine/compile-compared.ts";
import { ask, type RunDeps } from "../engine/run.ts";
import { nested, select } from "../engine/select.ts";

/** Number of values returned for each dimension. */
export const EXPLAINED_ROWS = 10;

/** A metric in a range and in an earlier one, with the contributions to its change. */
export interface ChangeQuestion extends Pick<InPeriods, "range" | "earlier" | "conditions"> {
	/** Slug. */
	readonly site: string;
	readonly metric: Metric;
	readonly dimensions: readonly Dimension[];
}

/** A metric in both ranges; `change` is its difference. */
export interface Change {
	readonly current: number;
	readonly earlier: number;
	readonly change: number;
}

/** Contribution of one value of a dimension. */
export interface ValueChange extends Change {
	readonly value: string;
}

/** Contributions of a dimension's values. */
export interface DimensionChange {
	readonly dimension: Dimension;
	/** The changes of all values added up, whichever way they went. */
	readonly moved: number;
	/** The largest changes first, whichever way they went; equal ones by their values. */
	readonly rows: readonly ValueChange[];
}

interface PartRow extends ValueChange {
	readonly part: Dimension | "total";
	readonly moved: number;
}

/**
 * One reading of the rows for all dimensions: a value that a group is not made by is empty in it. Whether a group is of the
 * range or of the earlier one is a flag, as in every comparison, so that values that appear or vanish are groups too.
 */
function compileChange({ metric, dimensions, ...question }: ChangeQuestion): Statement {
	const params: Params = {};
	const scope = { ...question, metrics: [metric], dimensions };
	const columns = dimensions.map((name) => dimensionOf(name).sql);
	const named = dimensions.map((name) => `grouping(${dimensionOf(name).sql}) = 0, '${name}'`);
	const groups = select({
		columns: [
			...flagColumns(scope, params),
			`multiIf(${[...named, "'total'"].join(", ")}) AS part`,
			`concat('', ${columns.join(", ")}) AS value`,
			...metricColumns([metric]),
		],
		from: "events",
		// A row goes into as many groups as there are dimensions.
		where: [...eventsWhere(scope, params), `(${metrics[metric].rows})`],
		groupBy: [`GROUPING SETS (${["", ...columns].map((column) => setOf(column)).join(", ")})`],
	});
	const sql = select({
		columns: [
			"part",
			"value",
			`${overParts(metric, "is_current")} AS current`,
			`${overParts(metric, "is_earlier")} AS earlier`,
			"current - earlier AS change",
			"sum(abs(change)) OVER (PARTITION BY part) AS moved",
		],
		from: nested(groups, "parts"),
		groupBy: ["part", "value"],
		having: "current != 0 OR earlier != 0",
		orderBy: ["abs(change) DESC", "value"],
		limit: `${EXPLAINED_ROWS} BY part`,
	});
	return { sql, params, settings: rowSettings };
}

const setOf = (column: string): string => `(${[...flags, ...(column === "" ? [] : [column])].join(", ")})`;

const nothing: Change = { current: 0, earlier: 0, change: 0 };

/** How a metric changed, and which values of each dimension moved it most, in one statement. */
export async function runExplainedChange(deps: RunDeps, question: ChangeQuestion) {
	const parts = Map.groupBy(await ask<PartRow>(deps, compileChange(question)), ({ part }) => part);
	const [total = nothing] = parts.get("total") ?? [];
	return {
		total,
		dimensions: question.dimensions.map((dimension): DimensionChange => {
			const rows = parts.get(dimension) ?? [];
			return { dimension, moved: rows[0]?.moved ?? 0, rows };
		}),
	};
}
