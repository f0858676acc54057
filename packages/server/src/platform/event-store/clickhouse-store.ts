import { ServiceError } from "../errors/service-error.ts";
import { EngineError, errorAtEnd, MARK } from "./client/engine-error.ts";
import type { StoreAnswer, StoreClient, StoreRequest } from "./client/store-client.ts";
import type { EventInsert, EventQuery, EventStore, QueryParam } from "./event-store.ts";
import { storeError } from "./store-error.ts";

const IDENTIFIER = /^[a-z_][a-z0-9_]*$/i;
/** Seconds that a query may take when it does not say. */
const QUERY_SECONDS = 30;
/** The engine ends a query that takes too long; after this much longer the connection is given up. */
const GRACE_MS = 60_000;
/** Inserts and DDL: a step of the schema may rewrite all rows. */
const WRITE_WITHIN_MS = 10 * 60_000;
/** The engine's own limit is that of queries. */
const unlimited = { max_execution_time: 0 };

type Fields = Readonly<Record<string, string | number>>;

interface CompactAnswer {
	readonly meta: readonly { readonly name: string; readonly type: string }[];
	readonly data: readonly (readonly unknown[])[];
	readonly statistics?: { readonly rows_read?: number };
}

interface ClickHouseStoreDeps {
	/** The client in use; undefined while the store is known to be down. */
	readonly client: () => StoreClient | undefined;
	/** Settings of every query and insert, for a store that does not set them itself. */
	readonly querySettings?: Fields;
	readonly insertSettings?: Fields;
	readonly close: () => Promise<void>;
}

/** The event store over ClickHouse's HTTP interface; see `EventStore` for the errors. An aborted query rejects with the signal's reason. */
export function createClickHouseStore(deps: ClickHouseStoreDeps): EventStore {
	const client = () => {
		const open = deps.client();
		if (!open) throw new ServiceError("database_unavailable");
		return open;
	};
	const ask = (query: EventQuery, format: string, isWhole = false) =>
		client().send({ ...requestOf(query, `${query.sql}\nFORMAT ${format}`, deps.querySettings), isWhole });

	return {
		query: (query) => guarded(query, async () => readRows(await ask(query, "JSONCompact", true), query)),
		stream: <Row extends object>(query: EventQuery) =>
			guardedStream(query, async () =>
				decodeLines<Row>(streamLines(await ask(query, "JSONCompactEachRowWithNamesAndTypes"))),
			),
		streamBytes: (query) => guardedStream(query, async () => streamBytes(await ask(query, query.format))),
		insert: (insert) =>
			guarded({ sql: `INSERT INTO ${insert.table}` }, async () => {
				if (insert.tsv.length === 0) return checkNames(insert);
				await done(await client().send(insertRequest(insert, deps.insertSettings)));
			}),
		command: (sql, params = {}) => guarded({ sql }, async () => done(await client().send(commandOf(sql, params)))),
		ping: () => guarded({ sql: "" }, () => client().ping()),
		close: deps.close,
	};
}

type Guardable = Pick<EventQuery, "sql" | "signal">;

const failure = (error: unknown, { sql, signal }: Guardable) =>
	signal?.aborted ? signal.reason : storeError(error, sql);

async function guarded<T>(query: Guardable, run: () => Promise<T>): Promise<T> {
	query.signal?.throwIfAborted();
	try {
		return await run();
	} catch (error) {
		throw failure(error, query);
	}
}

async function* guardedStream<T>(query: Guardable, open: () => Promise<AsyncIterable<T>>): AsyncGenerator<T> {
	query.signal?.throwIfAborted();
	try {
		yield* await open();
	} catch (error) {
		throw failure(error, query);
	}
}

type Params = NonNullable<EventQuery["params"]>;

const commandOf = (sql: string, params: Params): StoreRequest => ({
	sql,
	fields: { ...unlimited, ...boundFields(params) },
	withinMs: WRITE_WITHIN_MS,
});

const boundFields = (params: Params): Record<string, string> =>
	Object.fromEntries(Object.entries(params).map(([name, value]) => [`param_${name}`, boundValue(value)]));

function requestOf({ params = {}, settings, signal }: EventQuery, sql: string, defaults?: Fields): StoreRequest {
	const fields: Record<string, string | number> = { ...defaults, ...settings, ...boundFields(params) };
	const seconds = Number(settings?.max_execution_time ?? QUERY_SECONDS);
	return { sql, fields, signal, withinMs: seconds * 1000 + GRACE_MS };
}

async function readRows<Row extends object>({ body, header }: StoreAnswer, { onStatistics }: EventQuery) {
	const { meta, data, statistics } = parseAnswer(await body.text());
	if (onStatistics !== undefined) {
		const summary = JSON.parse(header("x-clickhouse-summary") || "{}") as { readonly elapsed_ns?: string };
		onStatistics({ elapsed: Number(summary.elapsed_ns ?? 0) / 1e9, rowsRead: statistics?.rows_read ?? 0 });
	}
	const decode = rowDecoder<Row>(
		meta.map((column) => column.name),
		meta.map((column) => column.type),
	);
	return data.map(decode);
}

/** A server that fails after the first bytes leaves text that is no JSON, with its error at the end. */
function parseAnswer(text: string): CompactAnswer {
	try {
		return JSON.parse(text) as CompactAnswer;
	} catch {
		throw new EngineError(text.slice(Math.max(0, text.lastIndexOf("Code: "))));
	}
}

/** The first two lines tell names and types. */
async function* decodeLines<Row extends object>(batches: AsyncIterable<readonly string[]>) {
	const head: string[][] = [];
	let decode: ((values: readonly unknown[]) => Row) | undefined;
	for await (const lines of batches) {
		const rows: Row[] = [];
		for (const line of lines) {
			const values = JSON.parse(line) as unknown[];
			if (decode) rows.push(decode(values));
			else if (head.push(values as string[]) === 2) decode = rowDecoder<Row>(head[0] ?? [], head[1] ?? []);
		}
		if (rows.length > 0) yield rows as readonly Row[];
	}
}

function checkNames({ table, columns }: EventInsert): void {
	if (columns.length > 0 && [table, ...columns].every((name) => IDENTIFIER.test(name))) return;
	throw new ServiceError("database_error", { cause: new Error("Not a table or column name") });
}

function insertRequest(insert: EventInsert, defaults?: Fields): StoreRequest {
	checkNames(insert);
	return {
		sql: `INSERT INTO ${insert.table} (${insert.columns.join(", ")}) FORMAT TabSeparated`,
		rows: insert.tsv,
		fields: { ...defaults, ...unlimited, insert_deduplication_token: insert.deduplicationToken },
		withinMs: WRITE_WITHIN_MS,
	};
}

/** A command on a cluster may fail after the first server's answer. */
async function done({ body, header }: StoreAnswer): Promise<void> {
	const error = errorAtEnd(Buffer.from(await body.arrayBuffer()), header("x-clickhouse-exception-tag"));
	if (error !== undefined) throw error;
}

/** Characters that end a value or begin an escape, as the engine's escaped text writes them. */
const ESCAPES: Readonly<Record<string, string>> = {
	"\\": "\\\\",
	"'": "\\'",
	"\t": "\\t",
	"\n": "\\n",
	"\r": "\\r",
	"\0": "\\0",
};
const escaped = (text: string) => text.replace(/[\\'\t\n\r\0]/g, (character) => ESCAPES[character] ?? character);

/** A value as the engine reads it from a `param_*` field: escaped text outside of lists, literals inside of them. */
function boundValue(value: QueryParam, isInList = false): string {
	if (value === null) return isInList ? "NULL" : "\\N";
	if (typeof value === "boolean") return isInList ? String(value).toUpperCase() : String(Number(value));
	if (typeof value === "string") return isInList ? `'${escaped(value)}'` : escaped(value);
	return isList(value) ? `[${value.map((item) => boundValue(item, true)).join(",")}]` : number(value);
}

const isList = (value: QueryParam): value is readonly QueryParam[] => Array.isArray(value);

function number(value: number | bigint): string {
	if (Number.isNaN(value)) return "nan";
	if (value === Number.POSITIVE_INFINITY) return "inf";
	return value === Number.NEGATIVE_INFINITY ? "-inf" : String(value);
}

const LINE_FEED = 0x0a;

/** The lines of an answer of JSON lines, in batches as they come. Throws where the engine breaks off. A caller that stops early ends the query. */
async function* streamLines({ body }: StoreAnswer): AsyncGenerator<readonly string[]> {
	let rest: Buffer[] = [];
	let failure: string[] | undefined;
	for await (const piece of body as AsyncIterable<Buffer>) {
		const end = piece.lastIndexOf(LINE_FEED);
		if (end < 0) {
			rest.push(piece);
			continue;
		}
		const lines = Buffer.concat([...rest, piece.subarray(0, end)])
			.toString("utf8")
			.split("\n");
		rest = end + 1 < piece.byteLength ? [piece.subarray(end + 1)] : [];
		// No line of JSON begins with the mark.
		const mark = failure === undefined ? lines.findIndex((line) => line.startsWith(MARK)) : 0;
		if (mark >= 0) failure = [...(failure ?? []), ...lines.splice(mark)];
		const whole = lines.filter((line) => line.startsWith("["));
		if (whole.length > 0) yield whole;
	}
	if (failure !== undefined) throw new EngineError(failure.join("\n"));
	if (rest.length > 0) throw new EngineError("The answer ended within a line");
}

/** Upper bound of an error at the end of an answer; so many bytes are held back. */
const HELD_BYTES = 32 * 1024;

/** The bytes of an answer as they come. Throws where the engine breaks off, before its last bytes. A caller that stops early ends the query. */
async function* streamBytes({ body, header }: StoreAnswer): AsyncGenerator<Uint8Array> {
	const held: Buffer[] = [];
	let heldBytes = 0;
	for await (const piece of body as AsyncIterable<Buffer>) {
		held.push(piece);
		heldBytes += piece.byteLength;
		while (held[0] !== undefined && heldBytes - held[0].byteLength >= HELD_BYTES) {
			const first = held.shift();
			heldBytes -= first?.byteLength ?? 0;
			if (first !== undefined) yield first;
		}
	}
	const end = Buffer.concat(held);
	const error = errorAtEnd(end, header("x-clickhouse-exception-tag"));
	if (error !== undefined) throw error;
	if (end.byteLength > 0) yield end;
}

type Decoder = (value: unknown) => unknown;

const NUMBER = /^(U?Int\d+|Float\d+|BFloat16|Decimal\w*(\(.*\))?)$/;

/** Undefined when the JSON value already is what callers get. */
function decoderOf(type: string): Decoder | undefined {
	const inner = argumentOf(type);
	if (inner !== undefined) {
		const [name, argument] = inner;
		if (name === "Nullable" || name === "LowCardinality") return decoderOf(argument);
		if (name === "SimpleAggregateFunction") return decoderOf(splitArguments(argument).slice(1).join(", "));
		if (name === "Array") return arrayDecoder(decoderOf(argument));
		if (name === "Map") return mapDecoder(decoderOf(splitArguments(argument).slice(1).join(", ")));
	}
	return NUMBER.test(type) ? toNumber : undefined;
}

const toNumber: Decoder = (value) => (typeof value === "string" ? Number(value) : value);

function arrayDecoder(element: Decoder | undefined): Decoder | undefined {
	return element && ((value) => (Array.isArray(value) ? value.map(element) : value));
}

/** Maps come as lists of named pairs. */
function mapDecoder(element: Decoder = (value) => value): Decoder {
	return (entries) =>
		Object.fromEntries(
			(entries as readonly { keys: string; values: unknown }[]).map(({ keys, values }) => [keys, element(values)]),
		);
}

function argumentOf(type: string): readonly [string, string] | undefined {
	const open = type.indexOf("(");
	return open > 0 && type.endsWith(")") ? [type.slice(0, open), type.slice(open + 1, -1)] : undefined;
}

/** Splits at the commas of the outermost level. */
function splitArguments(text: string): string[] {
	const parts: string[] = [];
	let depth = 0;
	let start = 0;
	for (let at = 0; at < text.length; at++) {
		const character = text[at];
		if (character === "(") depth++;
		else if (character === ")") depth--;
		else if (character === "," && depth === 0) {
			parts.push(text.slice(start, at).trim());
			start = at + 1;
		}
	}
	parts.push(text.slice(start).trim());
	return parts;
}

/** A function that turns compact JSON rows into objects, by the column types that the engine declares. */
function rowDecoder<Row extends object>(
	names: readonly string[],
	types: readonly string[],
): (values: readonly unknown[]) => Row {
	const decoders = types.map(decoderOf);
	return (values) => {
		const row: Record<string, unknown> = {};
		for (let at = 0; at < names.length; at++) {
			const name = names[at];
			if (name === undefined) continue;
			const decode = decoders[at];
			row[name] = decode ? decode(values[at]) : values[at];
		}
		return row as Row;
	};
}
