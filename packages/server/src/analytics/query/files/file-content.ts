import { csvLine } from "../../../platform/lib/csv.ts";
import { ask, type RunDeps } from "../engine/run.ts";
import type { FileFormat } from "./file-columns.ts";
import { compileFile, compileFileCount, type FileQuestion } from "./file-query.ts";

const LINE_FEED = 0x0a;
const QUOTE = 0x22;

/** Counts the rows of a file while its pieces pass. */
interface RowCounter {
	rows: number;
	count(piece: Uint8Array): void;
}

/** A line feed between quotes belongs to a cell. */
function csvCounter(): RowCounter {
	let isQuoted = false;
	return {
		rows: 0,
		count(piece) {
			for (let at = 0; at < piece.length; at++) {
				const byte = piece[at];
				if (byte === QUOTE) isQuoted = !isQuoted;
				else if (byte === LINE_FEED && !isQuoted) this.rows++;
			}
		},
	};
}

function lineCounter(): RowCounter {
	return {
		rows: 0,
		count(piece) {
			for (let at = piece.indexOf(LINE_FEED); at >= 0; at = piece.indexOf(LINE_FEED, at + 1)) this.rows++;
		},
	};
}

/** A counter for each format whose rows can be told from its bytes. */
const rowCounters = {
	csv: csvCounter,
	json: lineCounter,
	ndjson: lineCounter,
	parquet: undefined,
} as const;

/** Objects, one a line, as one JSON array. Inside of JSON texts no line feed occurs. */
async function* joinRows(lines: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
	let before = "[\n";
	let isEmpty = true;
	for await (const piece of lines) {
		// As Latin-1 each byte is a character, whatever the text.
		const text = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString("latin1");
		const endsRow = text.endsWith("\n");
		const rows = (endsRow ? text.slice(0, -1) : text).replaceAll("\n", ",\n");
		yield Buffer.from(before + rows, "latin1");
		// The line feed at the end becomes a comma only when more comes.
		before = endsRow ? ",\n" : "";
		isEmpty = false;
	}
	yield Buffer.from(isEmpty ? "[]\n" : "\n]\n");
}

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
