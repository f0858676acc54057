/** Values that one statement may name: SQLite takes 32,766 in all, and a long list holds up the thread that takes hits. */
const CHUNK = 500;

/** Does work that names values in a statement, some at a time; answers all rows in the order of the values. */
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
