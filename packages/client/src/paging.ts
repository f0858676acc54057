import type { AnyInput, PagedRoute, Route } from "./route.ts";
import { pagedBy } from "./routes.generated.ts";

/** Asks an operation. */
export type Ask = (route: Route, input: AnyInput) => Promise<unknown>;

const first = { page: 1, offset: 0 } as const;

/** The answers of a list, page after page, from the one that the query names. */
export async function* pagesOf(ask: Ask, route: PagedRoute, input: AnyInput = {}): AsyncGenerator<unknown, void> {
	const by = pagedBy[route];
	const given = new Map<string, unknown>(Object.entries(input.query ?? {})).get(by);
	const start = typeof given === "number" ? given : first[by];
	let at = start;
	let told = by === "offset" ? start : 0;
	for (;;) {
		const page = await ask(route, { ...input, query: { ...input.query, [by]: at } });
		const count = listIn(page).length;
		// Only the first page may be empty, as rows may be deleted meanwhile.
		if (count === 0 && at !== start) return;
		yield page;
		told += count;
		const { has_next: hasNext, total_pages: pages = Number.POSITIVE_INFINITY, total } = page as Extent;
		const isTold = (by === "offset" || start === first.page) && told >= total;
		if (count === 0 || hasNext === false || (by === "page" && at >= pages) || isTold) return;
		at = by === "page" ? at + 1 : told;
	}
}

/** All items of a list, over all its pages. */
export async function* rowsOf(ask: Ask, route: PagedRoute, input?: AnyInput): AsyncGenerator<unknown, void> {
	for await (const page of pagesOf(ask, route, input)) yield* listIn(page);
}

/** Extent of a list: always `total`, mostly more. */
interface Extent {
	readonly total: number;
	readonly has_next?: boolean;
	readonly total_pages?: number;
}

/** The one list in an answer, whatever its name. */
const listIn = (page: unknown): readonly unknown[] => Object.values(page as object).find(Array.isArray) ?? [];
