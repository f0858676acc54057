/** A value bound to a `{name:Type}` placeholder of a query. */
export type QueryParam = string | number | bigint | boolean | null | readonly QueryParam[];

/** SQL text with `{name:Type}` placeholders and the values bound to them. */
export interface EventQuery {
	readonly sql: string;
	readonly params?: Readonly<Record<string, QueryParam>>;
	/** Engine settings of this query alone, e.g. `max_execution_time`. */
	readonly settings?: Readonly<Record<string, string | number>>;
	/** Aborting kills the query in the engine. */
	readonly signal?: AbortSignal;
	/** Told the engine's own figures when `query` has its answer. */
	readonly onStatistics?: (statistics: QueryStatistics) => void;
}

/** A query whose answer is taken as the engine writes it. */
export interface ByteQuery extends EventQuery {
	/** `TSVRaw`: one text column, a line feed after each. `TabSeparated`: all columns, as an insert takes them. `Parquet`: a whole file. */
	readonly format: "TSVRaw" | "TabSeparated" | "Parquet";
}

/** Rows appended to one table in one atomic, repeatable step. */
export interface EventInsert {
	readonly table: string;
	readonly columns: readonly string[];
	/** TabSeparated rows, each ended by a line feed. */
	readonly tsv: Uint8Array;
	/** A second insert with the same token is dropped by the engine. */
	readonly deduplicationToken: string;
}

/** Engine figures of a finished query. */
export interface QueryStatistics {
	/** Seconds from the statement's arrival at the engine to its answer: parsing, planning, running and formatting. */
	readonly elapsed: number;
	readonly rowsRead: number;
}

/**
 * The event store: ClickHouse, embedded or on a server, behind its HTTP interface.
 * Every method throws `ServiceError` `database_unavailable` when the store is not reachable,
 * `gateway_timeout` when a query exceeds its time or memory and `database_error` for everything else.
 */
export interface EventStore {
	/** Rows decoded by the column types that the engine declares: 64-bit integers and decimals become numbers, dates stay text. */
	query<Row extends object>(query: EventQuery): Promise<Row[]>;
	/** Rows in batches as the engine produces them, for results that do not fit in memory. */
	stream<Row extends object>(query: EventQuery): AsyncIterable<readonly Row[]>;
	/** The answer's bytes as the engine produces them, for files: nothing of them is decoded here. */
	streamBytes(query: ByteQuery): AsyncIterable<Uint8Array>;
	/** Resolves when the rows are durable. */
	insert(insert: EventInsert): Promise<void>;
	/** Runs DDL, with values bound to its `{name:Type}` placeholders. */
	command(sql: string, params?: EventQuery["params"]): Promise<void>;
	/** Throws when the store does not answer. */
	ping(): Promise<void>;
	close(): Promise<void>;
}
