import { csvLine } from "../../../platform/lib/csv.ts";
import { ask, type RunDeps } from "../engine/run.ts";
import type { FileFormat } from "./file-columns.ts";
import { compileFile, compileFileCount, type FileQuestion } from "./file-query.ts";
import { joinRows, type RowCounter, rowCounters } from "./file-rows.ts";

/** A file of events in pieces, as the engine produces it. */
export interface FileContent extends AsyncIterable<Uint8Array> {
	/** Rows so far; undefined where they cannot be told from the bytes. */
	readonly rows: () => number | undefined;
}

/** The format of a file; `ndjson` is `json` with an object a line. */
export type WrittenFormat = FileFormat | "ndjson";

/** The number of rows that a file has. */
export async function countFileRows(deps: RunDeps, question: FileQuestion): Promise<number> {
	const [counted] = await ask<{ total: number }>(deps, compileFileCount(question));
	return counted?.total ?? 0;
}

/** The content of a file, held in memory piece by piece only. Throws at the first piece when the query fails before it has rows. */
export function fileContent(
	{ eventStore }: RunDeps,
	question: FileQuestion,
	format: WrittenFormat,
	signal?: AbortSignal,
): FileContent {
	const query = compileFile(question, format === "ndjson" ? "json" : format);
	const counter: RowCounter | undefined = rowCounters[format]?.();
	const bytes = () => counted(eventStore.streamBytes({ ...query, ...(signal && { signal }) }), counter);
	const head = csvLine(question.columns.map(({ name }) => name));
	const written = {
		csv: () => after(head, bytes()),
		ndjson: bytes,
		json: () => joinRows(bytes()),
		parquet: bytes,
	} satisfies Record<WrittenFormat, () => AsyncIterable<Uint8Array>>;
	return {
		rows: () => counter?.rows,
		[Symbol.asyncIterator]: () => written[format]()[Symbol.asyncIterator](),
	};
}

async function* counted(pieces: AsyncIterable<Uint8Array>, counter: RowCounter | undefined) {
	for await (const piece of pieces) {
		counter?.count(piece);
		yield piece;
	}
}

/** The head comes with the first piece, so that a query that fails at once gives no file. */
async function* after(head: string, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
	let before: Uint8Array | undefined = Buffer.from(head);
	for await (const piece of pieces) {
		if (before !== undefined) yield before;
		before = undefined;
		yield piece;
	}
	if (before !== undefined) yield before;
}
