const LINE_FEED = 0x0a;
const QUOTE = 0x22;

/** Counts the rows of a file while its pieces pass. */
export interface RowCounter {
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
export const rowCounters = {
	csv: csvCounter,
	json: lineCounter,
	ndjson: lineCounter,
	parquet: undefined,
} as const;

/** Objects, one a line, as one JSON array. Inside of JSON texts no line feed occurs. */
export async function* joinRows(lines: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
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
