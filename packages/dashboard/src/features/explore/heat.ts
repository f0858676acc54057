import type { PivotAnswer } from "./ask-pivot.ts";
import { amountOf, type FigureKey } from "./figures.ts";
import type { Group } from "./pivot.ts";
import type { QueryRow } from "./query-row.ts";

/** How warm a cell is, 0 to 1: beside the cells of its figure and level, totals beside totals where nothing else is there. */
export type Heat = (figure: FigureKey, depth: number, row: QueryRow | undefined, isTotal: boolean) => number;

/** The warmth of a table's cells. */
export function heatOf({ pivot, groups, columns }: PivotAnswer): Heat {
	const hasColumns = columns.length > 0;
	const most = new Map<string, number>();
	const see = (level: readonly Group[], depth: number) => {
		for (const { total, cells, below } of level) {
			for (const key of pivot.figures) {
				const values = (hasColumns ? [...cells.values()] : [total]).map((row) => amountOf(key, row));
				const at = `${depth} ${key}`;
				most.set(at, Math.max(most.get(at) ?? 0, ...values));
			}
			see(below, depth + 1);
		}
	};
	see(groups, 0);
	return (figure, depth, row, isTotal) => {
		const top = most.get(`${depth} ${figure}`) ?? 0;
		if (row === undefined || top <= 0 || (hasColumns && isTotal)) return 0;
		return Math.min(1, amountOf(figure, row) / top);
	};
}
