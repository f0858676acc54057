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
interface Shortened {
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

/** Cuts the rows of a report to those that fit into a number of characters of JSON; other fields stay. */
export function fitRows(report: object, room: number): Shortened {
	const lists = Object.entries(report).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]));
	const empty = Object.fromEntries(lists.map(([name]) => [name, []]));
	const fitting = countFitting(
		lists.map(([, rows]) => rows.map((row) => JSON.stringify(row).length + 1)),
		room - JSON.stringify({ ...report, ...empty }).length,
	);
	const cut = lists.filter(([, rows]) => rows.length > fitting);
	return {
		value: { ...report, ...Object.fromEntries(cut.map(([name, rows]) => [name, rows.slice(0, fitting)])) },
		cuts: cut.map(([list, rows]) => ({ list, shown: fitting, of: rows.length })),
	};
}

/** How many rows of each list fit side by side: those of a comparison stay beside the rows that they are compared with. */
function countFitting(lengths: readonly (readonly number[])[], room: number): number {
	const longest = Math.max(0, ...lengths.map((list) => list.length));
	let left = room;
	for (let row = 0; row < longest; row++) {
		for (const list of lengths) left -= list[row] ?? 0;
		if (left < 0) return row;
	}
	return longest;
}
