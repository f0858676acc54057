import { totalmem } from "node:os";
import { resolve } from "node:path";
import {
	type ClickHouseClient,
	type ClickHouseClientConfigOptions,
	ClickHouseLogLevel,
	createClient,
} from "@clickhouse/client";
import type { Log } from "../log/log.ts";
import { createClickHouseStore } from "./clickhouse-store.ts";
import { type StoreAddress, superviseStoreProcess } from "./embedded/supervisor.ts";
import type { EventStore } from "./event-store.ts";

const GIB = 1024 ** 3;
/** Above every `max_execution_time` in use, so that the engine ends a query, not the client. */
const REQUEST_TIMEOUT_MS = 10 * 60 * 1000;

/** Settings that the embedded engine has as its defaults and a server may not. */
const serverQuerySettings = {
	max_execution_time: 30,
	output_format_json_quote_64bit_integers: 0,
	output_format_json_map_as_array_of_tuples: 1,
} as const;
const serverInsertSettings = {
	async_insert: 0,
	input_format_parallel_parsing: 0,
	insert_deduplicate: 1,
	// Through a Distributed table: answer when the shards have the rows.
	distributed_foreground_insert: 1,
} as const;

/** Where the events are and what the embedded engine may use. */
export interface OpenEventStoreOptions {
	/** A ClickHouse server's HTTP address with user, password and database; absent = the embedded engine. */
	readonly clickhouseUrl?: string;
	/** The embedded engine keeps its files in `events` below it. */
	readonly dataDir: string;
	/** Bytes for the embedded engine's queries, inserts and merges; a quarter of the machine, 1 to 4 GiB, when absent. */
	readonly memoryBytes?: number;
	readonly log: Log;
}

/** Opens the embedded store, or a ClickHouse server by its address. `childPid` is the embedded store's process. */
export async function openEventStore(
	options: OpenEventStoreOptions,
): Promise<EventStore & { readonly childPid: () => number | undefined }> {
	if (options.clickhouseUrl !== undefined) {
		const client = openClient({ url: options.clickhouseUrl });
		const store = createClickHouseStore({
			client: () => client,
			querySettings: serverQuerySettings,
			insertSettings: serverInsertSettings,
			close: () => client.close(),
		});
		return { ...store, childPid: () => undefined };
	}
	const supervisor = await superviseStoreProcess({
		// Absolute: on a relative path the engine starts, and then fails at its first table.
		directory: resolve(options.dataDir, "events"),
		memoryBytes: options.memoryBytes ?? defaultMemory(),
		log: options.log,
	});
	const clients = clientOfCurrentProcess(supervisor.address);
	const store = createClickHouseStore({
		client: clients.get,
		querySettings: {},
		insertSettings: {},
		close: async () => {
			await clients.close();
			await supervisor.close();
		},
	});
	return { ...store, childPid: supervisor.pid };
}

/** A restarted store process has a new port and a new secret, hence a new client. */
function clientOfCurrentProcess(address: () => StoreAddress | undefined) {
	let open: { address: StoreAddress; client: ClickHouseClient } | undefined;
	return {
		get(): ClickHouseClient | undefined {
			const now = address();
			if (!now) return undefined;
			if (open?.address !== now) {
				void open?.client.close();
				open = { address: now, client: openClient({ url: now.url, username: "footfall", password: now.password }) };
			}
			return open.client;
		},
		close: async () => open?.client.close(),
	};
}

function openClient(config: ClickHouseClientConfigOptions): ClickHouseClient {
	return createClient({
		...config,
		request_timeout: REQUEST_TIMEOUT_MS,
		max_open_connections: 64,
		// Its messages hold query texts and values.
		log: { level: ClickHouseLogLevel.OFF },
	});
}

function defaultMemory(): number {
	return Math.floor(Math.min(4 * GIB, Math.max(GIB, totalmem() / 4)));
}
