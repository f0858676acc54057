/** Entries of a list that has no pages, and of a list inside a row. */
const LIST = 50;
const LIST_IN_ROW = 10;

/** A list that was cut. */
interface Cut {
	readonly list: string;
	readonly shown: number;
	/** Entries before the cut, in the longest list of that name. */
	readonly of: number;
}

/** A part of an answer that is short enough for a model, and the omitted parts. */
export interface Shortened {
	readonly value: object;
	readonly cuts: readonly Cut[];
}

/** Cuts the long lists of an answer; rows of a page stay, for `page_size` decides on them, and so do points of a series. */
export function shorten(answer: object, isPage: boolean): Shortened {
	const cuts = new Map<string, Cut>();
	const cutList = (list: readonly unknown[], name: string, most: number) => {
		if (list.length <= most) return list;
		cuts.set(name, { list: name, shown: most, of: Math.max(list.length, cuts.get(name)?.of ?? 0) });
		return list.slice(0, most);
	};
	const walk = (value: unknown, name: string, isInRow: boolean): unknown => {
		if (typeof value !== "object" || value === null) return value;
		if (Array.isArray(value)) {
			const most = isInRow ? LIST_IN_ROW : isPage || name.endsWith(".points") ? Number.POSITIVE_INFINITY : LIST;
			return cutList(value, name, most).map((item) => walk(item, name, true));
		}
		const entries = Object.entries(value).map(([key, item]) => [key, walk(item, nameIn(name, key), isInRow)]);
		return Object.fromEntries(entries);
	};
	return { value: walk(answer, "", false) as object, cuts: [...cuts.values()] };
}

const nameIn = (outer: string, name: string): string => (outer === "" ? name : `${outer}.${name}`);
