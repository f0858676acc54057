import { mkdirSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { uuid } from "../../lib/ids.ts";
import { createLane, type Lane } from "../../lib/lane.ts";
import { forgetUnwritten } from "../insert-tokens.ts";
import { readingSettings } from "../reading-settings.ts";
import { repeatOnAbort } from "../repeat-on-abort.ts";
import type { NativeConnection, NativeEngine } from "./native-engine.ts";
import { setStatement, stringLiteral } from "./set-statement.ts";

/** Most that are kept open unused; the one unused for longest goes first. */
const IDLE = 16;

interface Connection {
	readonly native: NativeConnection;
	/** The setting `log_comment` of all that runs on it. */
	readonly name: string;
	/** Settings with their values, and names of parameters. */
	readonly kind: string;
}

type Use<T> = (connection: NativeConnection, name: string) => Promise<T>;

/** Connections of the engine to a directory: settings, parameters and output of one are its own. */
function createConnections(
	native: Pick<NativeEngine, "CreateConnection" | "CloseConnection">,
	directory: string,
	args: readonly string[],
) {
	let opened = 0;
	const idle: Connection[] = [];

	const open = (kind: string): Connection => {
		const name = `q${++opened}`;
		const connection = native.CreateConnection(directory, [...args, `--log_comment=${name}`]);
		if (!connection) throw new Error("The engine did not open a connection");
		return { native: connection, name, kind };
	};
	const take = (kind: string): Connection => {
		const at = idle.findLastIndex((connection) => connection.kind === kind);
		return idle.splice(at, at < 0 ? 0 : 1)[0] ?? open(kind);
	};
	const keep = (connection: Connection) => {
		idle.push(connection);
		if (idle.length > IDLE) close(idle.shift());
	};
	const close = (connection: Connection | undefined) => {
		if (connection !== undefined) native.CloseConnection(connection.native);
	};

	return {
		/** Runs `use` on a new connection, and closes it afterwards. */
		async once<T>(use: Use<T>): Promise<T> {
			const connection = open("");
			try {
				return await use(connection.native, connection.name);
			} finally {
				close(connection);
			}
		},
		/**
		 * Runs `use` on a connection on which nothing was ever set but these settings, with these values, and parameters of
		 * these names, whose values `use` sets again; opening one costs as much as a small query. One on which something failed
		 * or was aborted is closed: a query that fails after it produced output leaves its bytes to the next one, and a kill
		 * that comes late must not find another query under the same name.
		 */
		async kept<T>(assignments: ReadonlyMap<string, string>, signal: AbortSignal, use: Use<T>): Promise<T> {
			const connection = take(kindOf(assignments));
			let isClean = false;
			try {
				const result = await use(connection.native, connection.name);
				isClean = !signal.aborted;
				return result;
			} finally {
				if (isClean) keep(connection);
				else close(connection);
			}
		},
		closeIdle() {
			for (const connection of idle.splice(0)) close(connection);
		},
	};
}

/** Parameters by their names, as every statement sets their values. */
const kindOf = (assignments: ReadonlyMap<string, string>): string =>
	setStatement(new Map([...assignments].sort().map(([name, value]) => [name, name.startsWith("param_") ? "" : value])));

const MARK_CACHE_BYTES = 64 * 1024 * 1024;

/** Server arguments: they hold for the process and are read when the first connection opens. */
function serverArguments(memoryBytes: number): string[] {
	return [
		// Tables are loaded before the first query, so a ready engine answers at once.
		"--async_load_databases=0",
		"--async_load_system_database=0",
		`--mark_cache_size=${MARK_CACHE_BYTES}`,
		`--max_server_memory_usage=${memoryBytes}`,
		// Small pools: each thread keeps memory of its own, and the machine is shared with the collector.
		"--background_pool_size=2",
		"--background_schedule_pool_size=4",
		"--background_move_pool_size=1",
		"--background_fetches_pool_size=1",
		"--background_common_pool_size=2",
	];
}

/** Defaults of every query; a request's own settings win. */
function connectionArguments(memoryBytes: number): string[] {
	const perQuery = Math.floor(memoryBytes / 2);
	return [
		"--max_execution_time=30",
		`--max_memory_usage=${perQuery}`,
		`--max_bytes_before_external_group_by=${Math.floor(perQuery / 2)}`,
		`--max_bytes_before_external_sort=${Math.floor(perQuery / 2)}`,
		// An insert must be one block a partition, or its deduplication token would cover only a part of it.
		"--async_insert=0",
		"--input_format_parallel_parsing=0",
		"--output_format_json_quote_64bit_integers=0",
		...Object.entries(readingSettings).map(([name, value]) => `--${name}=${value}`),
		// As objects, the engine writes some keys with control characters wrongly.
		"--output_format_json_map_as_array_of_tuples=1",
		// Bound values stand in the statement here, in the URL on a server: long lists must fit in both.
		"--max_query_size=4000000",
	];
}

/**
 * Part of one insert statement: the engine holds several copies of it (measured: 50,000 rows of 225 bytes took 130 MB).
 * A change makes a repeated insert that a crash cut off count twice, because its slices get other tokens.
 */
const STATEMENT_LIMITS = { rows: 50_000, bytes: 32 * 1024 * 1024 };
/** Statements at a time; a stream waits for its reader. With the kill's own connection they stay below the 16 threads of the pool, so a kill never waits. */
const AT_ONCE = { queries: 8, streams: 4, inserts: 2 };

/** One statement with what belongs to it alone. */
export interface Statement {
	readonly sql: string;
	/** Settings and `param_*` values. */
	readonly assignments: ReadonlyMap<string, string>;
	readonly signal: AbortSignal;
}

/** The embedded engine on one directory. */
export type Engine = ReturnType<typeof openEngine>;

/** Opens the directory; throws when another process holds it. `memoryBytes`: for all queries, inserts and merges together. */
export function openEngine(native: NativeEngine, directory: string, memoryBytes: number) {
	forgetUnwritten(directory);
	// The engine unloads with its last connection, so this one stays open and runs nothing.
	const keepAlive = native.CreateConnection(directory, serverArguments(memoryBytes));
	if (!keepAlive) throw new Error("The engine did not open its directory");
	// Remains of a killed process: a sibling of the engine's directory with only its own files.
	const files = `${directory}-files`;
	rmSync(files, { recursive: true, force: true });
	const connections = createConnections(native, directory, connectionArguments(memoryBytes));
	const queries = createLane(AT_ONCE.queries);
	const streams = createLane(AT_ONCE.streams);
	const inserts = createLane(AT_ONCE.inserts);

	const kill = (name: string) =>
		connections.once((connection) =>
			native.QueryAsyncConnection(
				connection,
				`KILL QUERY WHERE Settings['log_comment'] = ${stringLiteral(name)} ASYNC`,
				"Null",
			),
		);

	/** The same work, ended when the signal aborts: the query on its connection is killed. */
	const killable =
		<T>(signal: AbortSignal, work: (connection: NativeConnection) => Promise<T>) =>
		async (connection: NativeConnection, name: string) => {
			const stopKilling = repeatOnAbort(signal, () => kill(name));
			try {
				return await work(connection);
			} finally {
				stopKilling();
			}
		};
	/** Runs `work` on a connection of its own. */
	const run = <T>(lane: Lane, { signal }: Statement, work: (connection: NativeConnection) => Promise<T>) =>
		lane.run(() => connections.once(killable(signal, work)), signal);
	const assign = async (connection: NativeConnection, assignments: Statement["assignments"]) => {
		if (assignments.size > 0) await native.QueryAsyncConnection(connection, setStatement(assignments), "Null");
	};

	return {
		/** The whole answer. */
		query: ({ assignments, sql, signal }: Statement) => {
			// One call for both: each call costs a change of threads.
			const text = assignments.size === 0 ? sql : `${setStatement(assignments)}; ${sql}`;
			const ask = async (connection: NativeConnection) =>
				(await native.QueryAsyncConnection(connection, text, "TabSeparated")).bytes;
			return queries.run(() => connections.kept(assignments, signal, killable(signal, ask)), signal);
		},
		/** The answer in pieces as the engine produces them. */
		stream: (statement: Statement, onChunk: (chunk: Uint8Array) => Promise<void>) =>
			run(streams, statement, async (connection) => {
				await assign(connection, statement.assignments);
				const stream = native.StreamQuery(connection, statement.sql, "TabSeparated");
				try {
					for (;;) {
						statement.signal.throwIfAborted();
						const piece = await native.StreamFetch(stream);
						if (piece.done) return;
						await onChunk(piece.bytes);
					}
				} finally {
					native.StreamCancel(stream);
				}
			}),
		/** The answer as a new file, which is the caller's; its path. */
		writeParquet: async (statement: Statement) => {
			mkdirSync(files, { recursive: true, mode: 0o700 });
			const path = join(files, `${uuid()}.parquet`);
			const sql = `INSERT INTO FUNCTION file(${stringLiteral(path)}, 'Parquet') ${statement.sql}`;
			try {
				await run(streams, statement, async (connection) => {
					await assign(connection, statement.assignments);
					await native.QueryAsyncConnection(connection, sql, "Null");
				});
				return path;
			} catch (error) {
				await rm(path, { force: true });
				throw error;
			}
		},
		/** Appends a body to the `INSERT … FORMAT …` in `sql`; the number of rows written. */
		insert: async (statement: Statement, body: Buffer) => {
			const token = statement.assignments.get("insert_deduplication_token");
			const slices = /\bTabSeparated\s*$/i.test(statement.sql) ? sliceRows(body, STATEMENT_LIMITS) : [body];
			let written = 0;
			for (const [index, slice] of slices.entries()) {
				const assignments = new Map(statement.assignments);
				if (token !== undefined && index > 0) assignments.set("insert_deduplication_token", `${token}/${index}`);
				written += await run(inserts, { ...statement, assignments }, async (connection) => {
					await assign(connection, assignments);
					return (await native.InsertRawAsyncConnection(connection, statement.sql, slice, false)).rowsWritten;
				});
			}
			return written;
		},
		close() {
			connections.closeIdle();
			native.CloseConnection(keepAlive);
		},
	};
}

const LINE_FEED = 0x0a;

/** Cuts line-delimited rows into slices, without copying; the same rows always give the same slices. A single row may be longer. */
export function sliceRows(body: Buffer, limits: typeof STATEMENT_LIMITS): Buffer[] {
	const slices: Buffer[] = [];
	let start = 0;
	let end = 0;
	let rows = 0;
	while (end < body.length) {
		const lineFeed = body.indexOf(LINE_FEED, end);
		const next = lineFeed === -1 ? body.length : lineFeed + 1;
		if (rows > 0 && (rows === limits.rows || next - start > limits.bytes)) {
			slices.push(body.subarray(start, end));
			start = end;
			rows = 0;
		}
		end = next;
		rows++;
	}
	if (start < body.length) slices.push(body.subarray(start));
	return slices;
}
