import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
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
import { withMappedErrors } from "./map-error.ts";

const MAX_PREPARED = 500;

/** Kysely on `node:sqlite`. One connection; Kysely itself lets one query or transaction use it at a time. */
export function sqliteDialect(file: string): Dialect {
	return {
		createDriver: () => new NodeSqliteDriver(file),
		createQueryCompiler: () => new SqliteQueryCompiler(),
		createAdapter: () => new SqliteAdapter(),
		createIntrospector: (db) => new SqliteIntrospector(db),
	};
}

class NodeSqliteDriver implements Driver {
	readonly #file: string;
	#connection: NodeSqliteConnection | undefined;

	constructor(file: string) {
		this.#file = file;
	}

	async init(): Promise<void> {
		this.#connection = await withMappedErrors(async () => new NodeSqliteConnection(this.#file));
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
		await connection.executeQuery(CompiledQuery.raw("rollback"));
	}

	async releaseConnection(): Promise<void> {}

	async destroy(): Promise<void> {
		this.#connection?.close();
		this.#connection = undefined;
	}
}

class NodeSqliteConnection implements DatabaseConnection {
	readonly #database: DatabaseSync;
	readonly #prepared = new Map<string, { statement: StatementSync; isReader: boolean }>();

	constructor(file: string) {
		this.#database = new DatabaseSync(file, { enableForeignKeyConstraints: true, timeout: 5000 });
		// Deleted secrets, such as the salts of visitor ids, are overwritten and not only forgotten.
		this.#database.exec("pragma journal_mode = wal; pragma synchronous = full; pragma secure_delete = on;");
	}

	async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
		return withMappedErrors(async () => {
			const { statement, isReader } = this.#prepare(sql);
			const values = parameters as readonly SQLInputValue[];
			if (isReader) return { rows: statement.all(...values).map((row) => ({ ...row }) as Row) };
			const { changes, lastInsertRowid } = statement.run(...values);
			return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
		});
	}

	async *streamQuery<Row>({ sql, parameters }: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
		const values = parameters as readonly SQLInputValue[];
		for (const row of this.#database.prepare(sql).iterate(...values)) yield { rows: [{ ...row } as Row] };
	}

	close(): void {
		this.#prepared.clear();
		this.#database.close();
	}

	#prepare(sql: string) {
		const known = this.#prepared.get(sql);
		if (known !== undefined) return known;
		const statement = this.#database.prepare(sql);
		const prepared = { statement, isReader: statement.columns().length > 0 };
		if (this.#prepared.size >= MAX_PREPARED) this.#prepared.clear();
		this.#prepared.set(sql, prepared);
		return prepared;
	}
}
