import type { Column, List } from "./lists.ts";

/** A value with its figures, and those before where they are compared. */
export interface Row {
	readonly value: string;
	readonly figures: Readonly<Record<string, number>>;
}

/** Answer of a list route. */
export interface ListAnswer {
	readonly rows: readonly Row[];
	/** Rows that there are, on all pages. */
	readonly total: number;
	readonly totals: Readonly<Record<string, number>> | undefined;
}

const figuresOf = (raw: object): Record<string, number> =>
	Object.fromEntries(Object.entries(raw).filter((entry): entry is [string, number] => typeof entry[1] === "number"));

/** Reads the answer of a list's route. */
export function readList(list: List, answer: unknown): ListAnswer {
	const isPage = !Array.isArray(answer);
	const page = (isPage ? answer : { data: answer }) as { data: readonly object[]; total?: number; totals?: object };
	return {
		rows: page.data.map((raw) => ({
			value: String((raw as Readonly<Record<string, unknown>>)[list.value] ?? ""),
			figures: figuresOf(raw),
		})),
		total: page.total ?? page.data.length,
		totals: page.totals && figuresOf(page.totals),
	};
}

/** The figure of a row before; undefined where nothing is compared. */
export const before = (row: Pick<Row, "figures">, column: Column): number | undefined => row.figures[`${column}_prev`];

/** How rows are chosen and ordered. */
export interface Choice {
	readonly sort: Column;
	readonly isRising: boolean;
	readonly search: string;
	/** From 1 on. */
	readonly page: number;
	readonly size: number;
}

/** Parameters of a list's route for a choice; the ones that a route lacks are applied by {@link choose}. */
export const choiceParameters = (list: List, { sort, isRising, search, page, size }: Choice) => ({
	...(list.largest !== undefined && {
		sort_by: sort,
		sort_order: isRising ? "asc" : "desc",
		...(isSearchedHere(list) ? { page_size: Math.max(size, list.largest) } : { page, page_size: size }),
	}),
	...(search !== "" && list.search !== undefined && { [list.search]: search }),
	// A page is one row, whatever its content groups.
	...(list.search === "path_filter" && { include_content_group: false }),
});

/** True where the search happens among the rows that came: they have to be all. */
const isSearchedHere = (list: List): boolean => list.search === undefined;

/** The rows of a page; where the route cannot search or order, it is done here. `shown` is how a value is read. */
export function choose(list: List, answer: ListAnswer, choice: Choice, shown: (value: string) => string): ListAnswer {
	if (!isSearchedHere(list)) return answer;
	const wanted = choice.search.toLocaleLowerCase();
	const found = answer.rows.filter(
		({ value }) => wanted === "" || [value, shown(value)].some((text) => text.toLocaleLowerCase().includes(wanted)),
	);
	const figure = (row: Row) => row.figures[choice.sort] ?? 0;
	const ordered = list.largest === undefined ? found.toSorted((a, b) => figure(b) - figure(a)) : found;
	if (list.largest === undefined && choice.isRising) ordered.reverse();
	const from = (choice.page - 1) * choice.size;
	return { ...answer, rows: ordered.slice(from, from + choice.size), total: found.length };
}
