import { streamPage } from "../../../analytics/query/engine/stream.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import { csvLine } from "../../../platform/lib/csv.ts";
import type { OpenQuery } from "./parse.ts";
import { presentCells, presentHead } from "./present.ts";

/**
 * A query as a CSV file, in pieces as the engine produces its rows: the head, the rows, then with `compare` those of the
 * earlier period. Throws at the first piece when the query fails before it has rows.
 */
export async function* exportQuery(
	deps: { readonly eventStore: EventStore },
	query: OpenQuery,
): AsyncGenerator<string> {
	const { question, page, comparison } = query;
	let head = csvLine(presentHead(query));
	const periods = [
		{ period: "current" as const, question },
		...(comparison === undefined
			? []
			: [{ period: "comparison" as const, question: { ...question, range: comparison.range } }]),
	];
	for (const { period, question: asked } of periods) {
		for await (const rows of streamPage(deps, asked, page)) {
			yield head + rows.map((row) => csvLine(presentCells(query, period, row))).join("");
			head = "";
		}
	}
	if (head !== "") yield head;
}
