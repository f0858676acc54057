/** Values that one statement may name: SQLite takes 32,766 in all, and a long list holds up the thread that takes hits. */
const CHUNK = 500;

/**
 * Does work that names each of some values in a statement, for so many at a time, one statement after the other; answers what
 * all of them answered, in the order of the values. With no values it does nothing.
 */
export async function inChunks<Value, Row>(
	values: readonly Value[],
	work: (some: readonly Value[]) => Promise<readonly Row[]>,
): Promise<Row[]> {
	const rows: Row[] = [];
	for (let first = 0; first < values.length; first += CHUNK) {
		rows.push(...(await work(values.slice(first, first + CHUNK))));
	}
	return rows;
}
