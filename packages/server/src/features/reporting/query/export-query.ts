import { streamCompared, streamPage } from "../../../analytics/query/engine/stream.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import { csvLine } from "../../../platform/lib/csv.ts";
import type { OpenQuery } from "./parse.ts";
import { presentCells, presentHead, type QueryRow } from "./present.ts";

interface Deps {
	readonly eventStore: EventStore;
	readonly clock: Clock;
}

type Batches = AsyncGenerator<{ readonly period: "current" | "comparison"; readonly rows: readonly QueryRow[] }>;

async function* batchesOf(deps: Deps, { question, page, comparison, isJoined }: OpenQuery): Batches {
	if (comparison && isJoined) {
		const batches = streamCompared(deps, question, comparison.range, page);
		for await (const rows of batches) yield { period: "current", rows };
		return;
	}
	const plain = (rows: readonly QueryRow["row"][]) => rows.map((row) => ({ row }));
	for await (const rows of streamPage(deps, question, page)) yield { period: "current", rows: plain(rows) };
	if (comparison === undefined) return;
	const earlier = streamPage(deps, { ...question, range: comparison.range }, page);
	for await (const rows of earlier) yield { period: "comparison", rows: plain(rows) };
}

/**
 * A query as a CSV file, in pieces as the engine produces its rows: the head, the rows, then with `compare` those of the
 * earlier period, unless rows have their earlier numbers beside them. Throws at the first piece when the query fails before
 * it has rows.
 */
export async function* exportQuery(deps: Deps, query: OpenQuery): AsyncGenerator<string> {
	let head = csvLine(presentHead(query));
	for await (const { period, rows } of batchesOf(deps, query)) {
		yield head + rows.map((row) => csvLine(presentCells(query, period, row))).join("");
		head = "";
	}
	if (head !== "") yield head;
}
