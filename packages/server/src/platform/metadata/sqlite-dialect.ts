import { close, fdatasync, open } from "node:fs";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import {
	CompiledQuery,
	type DatabaseConnection,
	type Dialect,
	type Driver,
	type QueryResult,
	SqliteAdapter,
	SqliteIntrospector,
	SqliteQueryCompiler,
} from "kysely";
import { systemClock } from "../lib/clock.ts";
import { withMappedErrors } from "./map-error.ts";

const openFile = promisify(open);
const closeFile = promisify(close);
const syncFile = promisify(fdatasync);

const CHECKPOINT_MS = 60_000;
/** As many writes as would make a log of some megabytes. */
const CHECKPOINT_WRITES = 1000;

/** Runs in a thread of its own. */
const CHECKPOINT = `
const { workerData } = require("node:worker_threads");
const { DatabaseSync } = require("node:sqlite");
const database = new DatabaseSync(workerData);
try { database.exec("pragma wal_checkpoint(passive)"); } finally { database.close(); }`;

/** Makes commits durable without the thread that answers hits: SQLite syncs nothing, and the caller waits for a sync of the log on another thread. */
class SqliteSync {
	readonly #file: string;
	#log: number | undefined;
	#unchecked = 0;
	#checkpoint: Worker | undefined;
	readonly #stopTimer: () => void;

	constructor(file: string) {
		this.#file = file;
		this.#stopTimer = systemClock.every(CHECKPOINT_MS, () => this.#check());
	}

	/** Resolves when every commit so far is on the disk. */
	async sync(): Promise<void> {
		this.#log ??= await openFile(`${this.#file}-wal`, "r+");
		await syncFile(this.#log);
		this.#unchecked++;
		if (this.#unchecked >= CHECKPOINT_WRITES) this.#check();
	}

	/** Ends; the database is closed afterwards, which empties the log. */
	async close(): Promise<void> {
		this.#stopTimer();
		await this.#checkpoint?.terminate();
		if (this.#log !== undefined) await closeFile(this.#log);
		this.#log = undefined;
	}

	/** Moves what is in the log into the database file, so that neither grows apart from the other for long. */
	#check(): void {
		if (this.#unchecked === 0 || this.#checkpoint !== undefined) return;
		this.#unchecked = 0;
		const worker = new Worker(CHECKPOINT, { eval: true, workerData: this.#file, execArgv: [] });
		this.#checkpoint = worker;
		worker.unref();
		// One that fails is repeated; the log keeps everything meanwhile.
		worker.on("error", () => {
			this.#unchecked++;
		});
		worker.on("exit", () => {
			this.#checkpoint = undefined;
		});
	}
}

/** In place of a file: nothing is kept. */
export const IN_MEMORY = ":memory:";

const MAX_PREPARED = 500;
const SQLITE_BUSY = 5;
/** Default wait of a statement for other writing processes. */
const BUSY_MS = 5000;
const MAX_PAUSE_MS = 50;
/** Statements after which nothing new has to reach the disk. */
const READING = /^\s*(select|pragma|begin|rollback)\b/i;

interface Prepared {
	readonly statement: StatementSync;
	readonly isReader: boolean;
	readonly mayCommit: boolean;
}

/** Kysely on `node:sqlite`. One connection; Kysely itself lets one query or transaction use it at a time. */
export function sqliteDialect(file: string, { busyMs = BUSY_MS }: { readonly busyMs?: number } = {}): Dialect {
	return {
		createDriver: () => new NodeSqliteDriver(file, busyMs),
		createQueryCompiler: () => new SqliteQueryCompiler(),
		createAdapter: () => new SqliteAdapter(),
		createIntrospector: (db) => new SqliteIntrospector(db),
	};
}

class NodeSqliteDriver implements Driver {
	readonly #file: string;
	readonly #busyMs: number;
	#connection: NodeSqliteConnection | undefined;

	constructor(file: string, busyMs: number) {
		this.#file = file;
		this.#busyMs = busyMs;
	}

	async init(): Promise<void> {
		this.#connection = await withMappedErrors(() => NodeSqliteConnection.open(this.#file, this.#busyMs));
	}

	async acquireConnection(): Promise<DatabaseConnection> {
		if (this.#connection === undefined) throw new Error("The metadata store is not open");
		return this.#connection;
	}

	async beginTransaction(connection: DatabaseConnection): Promise<void> {
		// A deferred transaction that turns into a writer fails at once when another process writes; an immediate one waits.
		await connection.executeQuery(CompiledQuery.raw("begin immediate"));
	}

	async commitTransaction(connection: DatabaseConnection): Promise<void> {
		await connection.executeQuery(CompiledQuery.raw("commit"));
	}

	async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
		// A full disk has ended the transaction already; an error about that would hide the disk's.
		if (this.#connection?.isInTransaction === true) await connection.executeQuery(CompiledQuery.raw("rollback"));
	}

	async releaseConnection(): Promise<void> {}

	async destroy(): Promise<void> {
		await this.#connection?.close();
		this.#connection = undefined;
	}
}

class NodeSqliteConnection implements DatabaseConnection {
	readonly #database: DatabaseSync;
	readonly #sync: SqliteSync | undefined;
	readonly #busyMs: number;
	readonly #prepared = new Map<string, Prepared>();

	private constructor(database: DatabaseSync, sync: SqliteSync | undefined, busyMs: number) {
		this.#database = database;
		this.#sync = sync;
		this.#busyMs = busyMs;
	}

	static async open(file: string, busyMs: number): Promise<NodeSqliteConnection> {
		// SQLite would stop the whole process while another one writes; `whenFree` waits without that.
		const database = new DatabaseSync(file, { enableForeignKeyConstraints: true, timeout: 0 });
		await whenFree(() => database.exec("pragma journal_mode = wal"), busyMs);
		// Deleted secrets, such as the salts of visitor ids, are overwritten and not only forgotten.
		database.exec("pragma synchronous = normal; pragma wal_autocheckpoint = 0; pragma secure_delete = on;");
		return new NodeSqliteConnection(database, file === IN_MEMORY ? undefined : new SqliteSync(file), busyMs);
	}

	get isInTransaction(): boolean {
		return this.#database.isTransaction;
	}

	async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
		return withMappedErrors(async () => {
			const prepared = await whenFree(() => this.#prepare(sql), this.#busyMs);
			const values = parameters as readonly SQLInputValue[];
			const result = this.isInTransaction
				? run<Row>(prepared, values)
				: await whenFree(() => run<Row>(prepared, values), this.#busyMs);
			if (prepared.mayCommit && !this.isInTransaction) await this.#sync?.sync();
			return result;
		});
	}

	async *streamQuery<Row>({ sql, parameters }: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
		const values = parameters as readonly SQLInputValue[];
		for (const row of this.#database.prepare(sql).iterate(...values)) yield { rows: [{ ...row } as Row] };
	}

	async close(): Promise<void> {
		this.#prepared.clear();
		await this.#sync?.close();
		this.#database.close();
	}

	#prepare(sql: string): Prepared {
		const known = this.#prepared.get(sql);
		if (known !== undefined) return known;
		const statement = this.#database.prepare(sql);
		const prepared = { statement, isReader: statement.columns().length > 0, mayCommit: !READING.test(sql) };
		if (this.#prepared.size >= MAX_PREPARED) this.#prepared.clear();
		this.#prepared.set(sql, prepared);
		return prepared;
	}
}

function run<Row>({ statement, isReader }: Prepared, values: readonly SQLInputValue[]): QueryResult<Row> {
	if (isReader) return { rows: statement.all(...values).map((row) => ({ ...row }) as Row) };
	const { changes, lastInsertRowid } = statement.run(...values);
	return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
}

/** Repeats what another process's write stands in the way of; gives up after `busyMs` with SQLite's error. */
async function whenFree<T>(work: () => T, busyMs: number): Promise<T> {
	const deadline = systemClock.monotonic() + busyMs;
	for (let pause = 1; ; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
		try {
			return work();
		} catch (error) {
			const isBusy = (Number((error as { errcode?: unknown }).errcode) & 0xff) === SQLITE_BUSY;
			if (!isBusy || systemClock.monotonic() > deadline) throw error;
			await systemClock.sleep(pause);
		}
	}
}
