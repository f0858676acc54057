/** A list for `in (…)`, repeated up to the next power of two: statements differ by few lengths, so that they stay prepared. */
export function padded<Item>(items: readonly Item[]): readonly Item[] {
	const [first] = items;
	if (first === undefined) return items;
	const length = 2 ** Math.ceil(Math.log2(items.length));
	return [...items, ...Array.from({ length: length - items.length }, () => first)];
}
