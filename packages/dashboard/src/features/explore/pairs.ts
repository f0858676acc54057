import { type Dimension, valueName } from "../site/index.ts";
import type { QueryRow } from "./figures.ts";
import type { Value } from "./pivot.ts";

/** Values of some dimensions, of which a click makes filters. */
export type Pairs = readonly (readonly [Dimension, Value])[];

/** The values of a column. */
export const pairsIn = (row: QueryRow, dimensions: readonly Dimension[]): Pairs =>
	dimensions.map((name) => [name, row[name] ?? null] as const);

/** The same in words. */
export const columnName = (row: QueryRow, dimensions: readonly Dimension[]): string =>
	pairsIn(row, dimensions)
		.map(([name, value]) => valueName(name, value))
		.join(" · ");
