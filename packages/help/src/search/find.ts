import type MiniSearch from "minisearch";
import type { Entry } from "./options.ts";

/** A section that was found. */
export interface Found extends Entry {
	/** Words of the section that answer the question. */
	readonly terms: readonly string[];
}

const MOST = 20;

/** Pages that explain less than they record. */
const records = [
	["/help/decisions/", 0.5],
	["/help/changelog", 0.4],
	["/help/benchmarks", 0.6],
] as const;

/** Sections for a question, the best first: all words have to be there, and where nothing has them all, some. */
export function find(index: MiniSearch<Entry>, question: string): readonly Found[] {
	for (const combineWith of ["AND", "OR"] as const) {
		const found = index.search(question, {
			combineWith,
			boost: { heading: 6, page: 3 },
			prefix: (term) => term.length > 1,
			fuzzy: (term) => (term.length > 4 ? 0.2 : false),
			boostDocument: (id) => records.find(([prefix]) => String(id).startsWith(prefix))?.[1] ?? 1,
		});
		if (found.length > 0)
			return found.slice(0, MOST).map(({ id, terms, ...stored }) => ({ ...(stored as unknown as Entry), id, terms }));
	}
	return [];
}
