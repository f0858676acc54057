import { Readable } from "node:stream";
import type { ClickHouseClient, ClickHouseSettings } from "@clickhouse/client";
import { ServiceError } from "../errors/service-error.ts";
import { rowDecoder } from "./decode-rows.ts";
import type { ByteQuery, EventInsert, EventQuery, EventStore, QueryStatistics } from "./event-store.ts";
import { storeError } from "./store-error.ts";
import { streamBytes } from "./stream-bytes.ts";

const IDENTIFIER = /^[a-z_][a-z0-9_]*$/i;

interface CompactAnswer {
	readonly meta: readonly { readonly name: string; readonly type: string }[];
	readonly data: readonly (readonly unknown[])[];
	readonly statistics?: { readonly rows_read?: number };
}

/** What the store says of a query in the header `X-ClickHouse-Summary`. */
interface EngineSummary {
	readonly elapsed_ns?: string;
}

interface ClickHouseStoreDeps {
	/** The client in use; undefined while the store is known to be down. */
	readonly client: () => ClickHouseClient | undefined;
	/** Settings of every query and insert, for a store that does not set them itself. */
	readonly querySettings: ClickHouseSettings;
	readonly insertSettings: ClickHouseSettings;
	readonly close: () => Promise<void>;
}

/** The event store over `@clickhouse/client`; see `EventStore` for the errors. An aborted query rejects with the signal's reason. */
export function createClickHouseStore(deps: ClickHouseStoreDeps): EventStore {
	const guarded = async <T>(
		sql: string,
		signal: AbortSignal | undefined,
		run: (client: ClickHouseClient) => Promise<T>,
	) => {
		const client = deps.client();
		if (!client) throw new ServiceError("database_unavailable");
		try {
			return await run(client);
		} catch (error) {
			if (signal?.aborted) throw signal.reason;
			throw storeError(error, sql);
		}
	};
	const queryWithStatistics = <Row extends object>(query: EventQuery) =>
		guarded(query.sql, query.signal, (client) => runQuery<Row>(client, query, deps.querySettings));

	return {
		queryWithStatistics,
		query: async <Row extends object>(query: EventQuery) => (await queryWithStatistics<Row>(query)).rows,
		stream: <Row extends object>(query: EventQuery) => streamRows<Row>(deps, guarded, query),
		streamBytes: (query) => guardedBytes(deps, query),
		insert: (insert) => {
			const sql = `INSERT INTO ${insert.table}`;
			return guarded(sql, undefined, (client) => runInsert(client, insert, deps.insertSettings));
		},
		command: (sql) =>
			guarded(sql, undefined, async (client) => {
				await client.command({ query: sql });
			}),
		ping: () =>
			guarded("", undefined, async (client) => {
				const answer = await client.ping();
				if (!answer.success) throw new ServiceError("database_unavailable", { cause: answer.error });
			}),
		close: deps.close,
	};
}

function requestOf(query: EventQuery, defaults: ClickHouseSettings) {
	return {
		query: query.sql,
		clickhouse_settings: { ...defaults, ...query.settings } as ClickHouseSettings,
		...(query.params && { query_params: query.params as Record<string, unknown> }),
		...(query.signal && { abort_signal: query.signal }),
	};
}

async function runQuery<Row extends object>(
	client: ClickHouseClient,
	query: EventQuery,
	defaults: ClickHouseSettings,
): Promise<{ rows: Row[]; statistics: QueryStatistics }> {
	query.signal?.throwIfAborted();
	const answer = await client.query({ ...requestOf(query, defaults), format: "JSONCompact" });
	const { meta, data, statistics } = JSON.parse(await answer.text()) as CompactAnswer;
	const summary = JSON.parse(String(answer.response_headers["x-clickhouse-summary"] ?? "{}")) as EngineSummary;
	const decode = rowDecoder<Row>(
		meta.map((column) => column.name),
		meta.map((column) => column.type),
	);
	return {
		rows: data.map(decode),
		statistics: { elapsed: Number(summary.elapsed_ns ?? 0) / 1e9, rowsRead: statistics?.rows_read ?? 0 },
	};
}

type Guarded = <T>(
	sql: string,
	signal: AbortSignal | undefined,
	run: (client: ClickHouseClient) => Promise<T>,
) => Promise<T>;

async function* streamRows<Row extends object>(deps: ClickHouseStoreDeps, guarded: Guarded, query: EventQuery) {
	query.signal?.throwIfAborted();
	const answer = await guarded(query.sql, query.signal, (client) =>
		client.query({ ...requestOf(query, deps.querySettings), format: "JSONCompactEachRowWithNamesAndTypes" }),
	);
	try {
		const head: string[][] = [];
		let decode: ((values: readonly unknown[]) => Row) | undefined;
		for await (const batch of answer.stream()) {
			const rows: Row[] = [];
			for (const line of batch) {
				const values = JSON.parse(line.text) as unknown[];
				if (decode) rows.push(decode(values));
				else if (head.push(values as string[]) === 2) decode = rowDecoder<Row>(head[0] ?? [], head[1] ?? []);
			}
			if (rows.length > 0) yield rows as readonly Row[];
		}
	} catch (error) {
		if (query.signal?.aborted) throw query.signal.reason;
		throw storeError(error, query.sql);
	} finally {
		// A caller that stops early hangs up, which kills the query.
		answer.close();
	}
}

async function* guardedBytes(deps: ClickHouseStoreDeps, query: ByteQuery): AsyncGenerator<Uint8Array> {
	query.signal?.throwIfAborted();
	const client = deps.client();
	if (!client) throw new ServiceError("database_unavailable");
	try {
		yield* streamBytes(client, query, { ...deps.querySettings, ...query.settings } as ClickHouseSettings);
	} catch (error) {
		if (query.signal?.aborted) throw query.signal.reason;
		throw storeError(error, query.sql);
	}
}

async function runInsert(client: ClickHouseClient, insert: EventInsert, defaults: ClickHouseSettings): Promise<void> {
	const [first, ...rest] = insert.columns;
	if (first === undefined || ![insert.table, ...insert.columns].every((name) => IDENTIFIER.test(name))) {
		throw new ServiceError("database_error", { cause: new Error("Not a table or column name") });
	}
	if (insert.tsv.length === 0) return;
	const body = Buffer.from(insert.tsv.buffer, insert.tsv.byteOffset, insert.tsv.byteLength);
	await client.insert({
		table: insert.table,
		columns: [first, ...rest],
		format: "TabSeparated",
		values: Readable.from([body], { objectMode: false }),
		clickhouse_settings: { ...defaults, insert_deduplication_token: insert.deduplicationToken },
	});
}
