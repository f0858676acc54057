/** Entries below one point of a chart. */
export interface PointMarks<Entry> {
	readonly index: number;
	readonly entries: readonly Entry[];
}

/**
 * Brings together what would stand closer than `least` pixels: one mark for all of them, below the first. Marks come in the
 * order of their points.
 */
export function groupMarks<Entry>(
	marks: readonly PointMarks<Entry>[],
	placeOf: (index: number) => number,
	least: number,
): readonly PointMarks<Entry>[] {
	const groups: PointMarks<Entry>[] = [];
	for (const mark of marks) {
		const last = groups.at(-1);
		if (last !== undefined && placeOf(mark.index) - placeOf(last.index) < least) {
			groups[groups.length - 1] = { index: last.index, entries: [...last.entries, ...mark.entries] };
		} else groups.push(mark);
	}
	return groups;
}
