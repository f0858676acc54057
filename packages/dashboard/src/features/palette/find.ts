/** Something that can be found by its name. */
export interface Named {
	readonly label: string;
	/** Found by these too: a domain, a name in the address. */
	readonly hint?: string;
	/** Other words for it, which are not shown. */
	readonly words?: string;
}

/** A text without accents and capitals. */
export const plain = (text: string): string => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();

/** How well a thing fits; undefined when a word of the query occurs nowhere. Less is better. */
function distance({ label, hint = "", words: others = "" }: Named, words: readonly string[]): number | undefined {
	const [name, all] = [plain(label), plain(`${label} ${hint} ${others}`)];
	if (!words.every((word) => all.includes(word))) return undefined;
	const [first = ""] = words;
	if (name.startsWith(first)) return 0;
	return name.includes(` ${first}`) ? 1 : 2;
}

/**
 * Items that match all words of a query, ignoring accents: matches at the beginning first, else in the given order.
 */
export function find<T extends Named>(query: string, things: readonly T[]): readonly T[] {
	const words = plain(query).split(/\s+/).filter(Boolean);
	return things
		.flatMap((thing) => {
			const at = distance(thing, words);
			return at === undefined ? [] : [{ thing, at }];
		})
		.sort((a, b) => a.at - b.at)
		.map(({ thing }) => thing);
}
