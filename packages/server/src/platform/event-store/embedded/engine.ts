import { createConnectionPool } from "./connection-pool.ts";
import { connectionArguments, type EngineLimits, serverArguments } from "./engine-settings.ts";
import { createLane, type Lane } from "./lane.ts";
import { loadNativeEngine, type NativeConnection } from "./native-engine.ts";
import { setStatement, stringLiteral } from "./set-statement.ts";
import { sliceRows } from "./slice-rows.ts";

/** Rows of one insert statement; more would make the engine hold several copies of a big text. */
const ROWS_A_STATEMENT = 50_000;
/** Together with the kill's own connection these stay below the 16 threads of the pool, so a kill never waits for a query. */
const QUERIES_AT_ONCE = 10;
const INSERTS_AT_ONCE = 2;
const KILL_RETRY_MS = 50;

/** One statement with what belongs to it alone. */
export interface Statement {
	readonly sql: string;
	/** Settings and `param_*` values. */
	readonly assignments: ReadonlyMap<string, string>;
	/** Aborting kills the statement. */
	readonly signal: AbortSignal;
}

/** The embedded engine on one directory. */
export interface Engine {
	/** The whole answer. */
	query(statement: Statement): Promise<Uint8Array>;
	/** The answer in pieces as the engine produces them. */
	stream(statement: Statement, onChunk: (chunk: Uint8Array) => Promise<void>): Promise<void>;
	/** Appends a body to the `INSERT … FORMAT …` in `sql`; the number of rows written. */
	insert(statement: Statement, body: Buffer): Promise<number>;
	close(): void;
}

/** Opens the directory; throws when another process holds it. */
export function openEngine(directory: string, limits: EngineLimits): Engine {
	const native = loadNativeEngine();
	// The engine unloads with its last connection, so this one stays open and runs nothing.
	const keepAlive = native.CreateConnection(directory, serverArguments(limits));
	if (!keepAlive) throw new Error("The engine did not open its directory");
	const pool = createConnectionPool(native, directory, connectionArguments(limits));
	const queries = createLane(QUERIES_AT_ONCE);
	const inserts = createLane(INSERTS_AT_ONCE);
	let lastId = 0;

	const kill = (id: string) =>
		pool.withConnection((connection) =>
			native.QueryAsyncConnection(
				connection,
				`KILL QUERY WHERE Settings['log_comment'] = ${stringLiteral(id)} ASYNC`,
				"Null",
			),
		);

	/** Runs `work` with a name by which it can be killed, on a connection of its own. */
	const run = <T>(lane: Lane, statement: Statement, work: (c: NativeConnection, set: string) => Promise<T>) =>
		lane.run(async () => {
			const id = `q${++lastId}`;
			const assignments = new Map(statement.assignments).set("log_comment", id);
			const stopKilling = killOnAbort(statement.signal, () => kill(id));
			try {
				return await pool.withConnection((connection) => work(connection, setStatement(assignments)));
			} finally {
				stopKilling();
			}
		}, statement.signal);

	return {
		query: (statement) =>
			run(queries, statement, async (connection, set) => {
				const answer = await native.QueryAsyncConnection(connection, `${set}; ${statement.sql}`, "TabSeparated");
				return answer.bytes;
			}),
		stream: (statement, onChunk) =>
			run(queries, statement, async (connection, set) => {
				await native.QueryAsyncConnection(connection, set, "Null");
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
		insert: async (statement, body) => {
			const token = statement.assignments.get("insert_deduplication_token");
			const slices = /\bTabSeparated\s*$/i.test(statement.sql) ? sliceRows(body, ROWS_A_STATEMENT) : [body];
			let written = 0;
			for (const [index, slice] of slices.entries()) {
				const assignments = new Map(statement.assignments);
				if (token !== undefined && index > 0) assignments.set("insert_deduplication_token", `${token}/${index}`);
				written += await run(inserts, { ...statement, assignments }, async (connection, set) => {
					await native.QueryAsyncConnection(connection, set, "Null");
					return (await native.InsertRawAsyncConnection(connection, statement.sql, slice, false)).rowsWritten;
				});
			}
			return written;
		},
		close() {
			pool.close();
			native.CloseConnection(keepAlive);
		},
	};
}

/** Calls `kill` once the signal aborts and again until stopped: the query may not have begun yet. */
function killOnAbort(signal: AbortSignal, kill: () => Promise<unknown>): () => void {
	let timer: NodeJS.Timeout | undefined;
	let stopped = false;
	const again = () => {
		kill()
			.catch(() => undefined)
			.then(() => {
				if (!stopped) timer = setTimeout(again, KILL_RETRY_MS);
			});
	};
	signal.addEventListener("abort", again, { once: true });
	return () => {
		stopped = true;
		signal.removeEventListener("abort", again);
		clearTimeout(timer);
	};
}
