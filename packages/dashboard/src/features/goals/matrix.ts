/** A row of the API's breakdown. */
interface BreakdownRow {
	readonly utm_source: string;
	readonly utm_medium: string;
	readonly utm_campaign: string;
	readonly total: number;
	readonly values: Readonly<Record<string, number>>;
}

/** Values beside sources, the frequent ones first. */
export interface Matrix {
	readonly values: readonly string[];
	/** Values that have no column. */
	readonly valuesLeftOut: number;
	readonly rows: readonly BreakdownRow[];
	readonly rowsLeftOut: number;
	/** The greatest cell. */
	readonly most: number;
}

/** The part of a breakdown that one looks at. */
export function matrixOf(
	{ data, totals }: { readonly data: readonly BreakdownRow[]; readonly totals: Readonly<Record<string, number>> },
	mostValues: number,
	mostRows: number,
): Matrix {
	const all = Object.entries(totals).toSorted(([, one], [, other]) => other - one);
	const values = all.slice(0, mostValues).map(([value]) => value);
	const rows = data.slice(0, mostRows);
	return {
		values,
		valuesLeftOut: all.length - values.length,
		rows,
		rowsLeftOut: data.length - rows.length,
		most: Math.max(0, ...rows.flatMap((row) => values.map((value) => row.values[value] ?? 0))),
	};
}
