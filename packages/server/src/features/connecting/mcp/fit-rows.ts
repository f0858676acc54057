import type { Shortened } from "./shorten.ts";

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
