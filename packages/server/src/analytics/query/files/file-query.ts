import type { ByteQuery } from "../../../platform/event-store/event-store.ts";
import { csvLine } from "../../../platform/lib/csv.ts";
import { rowSettings } from "../../catalog/projections.ts";
import type { EventKind } from "../../model/event-columns.ts";
import {
	compileReport,
	compileTop,
	type EventScope,
	eventsWhere,
	orderBy,
	type Params,
	type Statement,
} from "../engine/compile.ts";
import { ask, type RunDeps } from "../engine/run.ts";
import { nested, type Select, select } from "../engine/select.ts";
import type { Order, ReportQuery } from "../question/report-query.ts";
import { type FileColumn, type FileFormat, selectFile } from "./file-columns.ts";

/** Content of a file of events: ordered groups, or single events in order of arrival. */
export type FileQuestion =
	| {
			readonly of: "groups";
			readonly query: ReportQuery;
			readonly order: readonly Order[];
			/** Over the dimensions and metrics of the query. */
			readonly columns: readonly FileColumn[];
			/** A row for each day, the query's only dimension. */
			readonly everyDay?: true;
			readonly params?: Params;
	  }
	| {
			readonly of: "events";
			readonly scope: EventScope;
			/** All when absent. */
			readonly kind?: EventKind;
			/** Leaves out the sums of imports, which stand for many events in one row. */
			readonly isSingle?: true;
			/** Over the columns of `events`. */
			readonly columns: readonly FileColumn[];
	  };

/** A reader on a slow line holds the query open, and a large file takes its time. */
const MAX_SECONDS = 3600;

const settings = {
	max_execution_time: MAX_SECONDS,
	output_format_json_escape_forward_slashes: 0,
	// Groups of rows are held in memory until they are full.
	output_format_parquet_row_group_size: 100_000,
} as const;

/** A column of the file may bear the name of another one of `events`, which the conditions mean. */
const ownColumns = { prefer_column_name_to_alias: 1 } as const;

const engineFormats = { csv: "TSVRaw", json: "TSVRaw", parquet: "Parquet" } as const satisfies Record<
	FileFormat,
	ByteQuery["format"]
>;

const eachDay = "WITH FILL FROM toDate({start:Date}) TO toDate({end:Date}) + 1";

function fileEvents(question: Extract<FileQuestion, { of: "events" }>, params: Params): Pick<Select, "from" | "where"> {
	const where = eventsWhere(question.scope, params);
	if (question.kind !== undefined) {
		params.kind = question.kind;
		where.push("kind = {kind:String}");
	}
	if (question.isSingle) where.push("session != 0");
	return { from: "events", where };
}

/** SQL for the content of a file, values bound: `csv` and `json` as one text a row, without head or brackets. */
function compileFile(question: FileQuestion, format: FileFormat): ByteQuery {
	const selected = selectFile(question.columns, format);
	if (question.of === "events") {
		const params: Params = {};
		// The order of the table, so that nothing has to be sorted; the session tells apart what came in the same millisecond.
		const sql = select({
			...selected,
			...fileEvents(question, params),
			orderBy: ["date", "hour", "ts", "session"],
		});
		return {
			sql,
			params,
			settings: { ...rowSettings, ...settings, ...ownColumns },
			format: engineFormats[format],
		};
	}
	const groups = compileTop(question.query, { order: question.order });
	const inner = question.everyDay ? `${groups.sql} ${eachDay}` : groups.sql;
	return {
		// The order of a statement within another one is not promised to last.
		sql: select({ ...selected, from: nested(inner), orderBy: orderBy(question.query, question.order) }),
		params: { ...groups.params, ...question.params },
		settings: { ...groups.settings, ...settings },
		format: engineFormats[format],
	};
}

/** SQL for the number of rows of a file, as `total`. */
function compileFileCount(question: FileQuestion): Statement {
	const columns = ["count() AS total"];
	if (question.of === "events") {
		const params: Params = {};
		return { sql: select({ columns, ...fileEvents(question, params) }), params, settings: rowSettings };
	}
	const groups = compileReport(question.query);
	return { ...groups, sql: select({ columns, from: nested(groups.sql) }) };
}

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
