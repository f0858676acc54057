/** The list with one entry in another place. */
export function moved<T>(list: readonly T[], from: number, to: number): readonly T[] {
	const item = list[from];
	if (item === undefined || to < 0 || to >= list.length) return list;
	const rest = list.toSpliced(from, 1);
	return rest.toSpliced(to, 0, item);
}
