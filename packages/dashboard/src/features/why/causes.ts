import type { Answer } from "../../api/client.ts";

/** Contributions to the change of a metric, by dimension. */
export type Explanation = Answer<"POST /stats/explain">;
/** The values of one dimension, the largest changes first. */
export type Dimension = Explanation["dimensions"][number];
/** One value and what it did. */
export type Cause = Dimension["rows"][number];

/** The values that explain a change in one line. */
export interface MainCauses {
	readonly name: Dimension["name"];
	readonly rows: readonly Cause[];
	/** How much of all movement in the dimension they are, in percent. */
	readonly explained: number;
}

const told = ({ value }: Cause) => value !== "";

/** The values of a dimension for a file. */
export const causeRecords = ({ name, rows }: Dimension): readonly object[] =>
	rows.map((cause) => ({ dimension: name, ...cause }));

/** How far a value is from having moved as everything did. */
function surprise({ total }: Explanation, { before, change }: Cause): number {
	const usual = total.before === 0 ? 0 : (before / total.before) * total.change;
	return Math.abs(change - usual);
}

/**
 * The largest changes of the dimension that moved least evenly: when all grow by a tenth, no dimension tells more than
 * another one, and when one source grows alone, it is the sources that tell why.
 * @returns undefined where nothing moved.
 */
export function mainCauses(explanation: Explanation, count = 3): MainCauses | undefined {
	const largest = ({ rows }: Dimension) => Math.max(...rows.filter(told).map((row) => surprise(explanation, row)));
	const [first] = explanation.dimensions
		.filter(({ rows }) => rows.some((row) => told(row) && row.change !== 0))
		.toSorted((one, other) => largest(other) - largest(one));
	if (first === undefined) return undefined;
	const moved = first.rows.filter((row) => told(row) && row.change !== 0);
	// All values of a dimension together are no explanation.
	const rows = moved.slice(0, Math.max(1, Math.min(count, moved.length - 1)));
	return { name: first.name, rows, explained: shareOf(rows, first) };
}

/** How much of all movement in a dimension some of its values are: the answer tells it of all that it lists. */
function shareOf(rows: readonly Cause[], dimension: Dimension): number {
	const moved = (some: readonly Cause[]) => some.reduce((sum, { change }) => sum + Math.abs(change), 0);
	const listed = moved(dimension.rows);
	return listed === 0 ? 0 : (moved(rows) / listed) * dimension.explained;
}

/** How long the bar of a value is beside the longest one of its dimension, 0-1; negative to the other side. */
export function barOf({ change }: Cause, { rows }: Dimension): number {
	const longest = Math.max(...rows.map((row) => Math.abs(row.change)));
	return longest === 0 ? 0 : change / longest;
}
