import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { type Cancel, type Clock, systemClock } from "../lib/clock.ts";
import { machineMemory } from "../lib/memory.ts";
import type { Log } from "../log/log.ts";
import { createClickHouseStore } from "./clickhouse-store.ts";
import { openStoreClient, type StoreAddress, type StoreClient } from "./client/store-client.ts";
import { publishedAddress } from "./embedded/published-address.ts";
import { shareStoreProcess } from "./embedded/share-process.ts";
import { superviseStoreProcess } from "./embedded/supervisor.ts";
import type { EventStore } from "./event-store.ts";
import { createFairStore } from "./lanes/fair-store.ts";
import { readingSettings } from "./reading-settings.ts";

/** With the limit below, a silence is noticed in eight seconds. */
const EVERY_MS = 1500;
const WITHIN_MS = 2000;
/** So many unanswered questions in a row, not one: this process itself may have been held up meanwhile. */
const SILENT_AFTER = 3;

interface WatchDeps {
	readonly clock: Clock;
	readonly ping: (signal: AbortSignal) => Promise<void>;
	/** Called when the store has not answered for six to eight seconds, and again as long as it does not. */
	readonly onSilence?: () => void;
}

/** Asks the store again and again for a sign of life, which needs nothing of its engine, so that no query holds it up. */
function watchStore({ clock, ping, onSilence }: WatchDeps) {
	let silentSince: number | undefined;
	let unanswered = 0;
	let cancel: Cancel;
	const closing = new AbortController();

	const ask = async () => {
		const limit = clock.deadline(WITHIN_MS, closing.signal);
		try {
			await ping(limit);
			[silentSince, unanswered] = [undefined, 0];
		} catch {
			silentSince ??= clock.monotonic();
			// A refusal is an answer too: an ended process recovers by itself.
			unanswered = limit.aborted ? unanswered + 1 : 0;
		}
		if (closing.signal.aborted) return;
		if (unanswered >= SILENT_AFTER) {
			unanswered = 0;
			onSilence?.();
		}
		// Without a pause while it is silent.
		cancel = clock.after(unanswered > 0 ? 0 : EVERY_MS, ask);
	};
	cancel = clock.after(EVERY_MS, ask);
	return {
		/** When the store was first found not to answer (`clock.monotonic()`); undefined while it answers. */
		silentSince: () => silentSince,
		close() {
			closing.abort();
			cancel();
		},
	};
}

const MIB = 1024 ** 2;
const GIB = 1024 * MIB;
/** Most memory of the main process, and of the store process besides its queries, with a million rows. */
const BESIDE = 320 * MIB;
/** With less the engine answers nothing. */
const LEAST = 128 * MIB;

/** Settings that the embedded engine has as its defaults and a server may not. */
const serverQuerySettings = {
	max_execution_time: 30,
	cancel_http_readonly_queries_on_client_close: 1,
	output_format_json_quote_64bit_integers: 0,
	output_format_json_map_as_array_of_tuples: 1,
	...readingSettings,
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
	readonly clickhouseUrl?: string | undefined;
	/** The embedded engine keeps its files in `events` below it. */
	readonly dataDir: string;
	/** Bytes for the embedded engine's queries, inserts and merges; `defaultMemory` when absent. */
	readonly memoryBytes?: number | undefined;
	/** Other processes of this machine may use the embedded store of the directory, too. */
	readonly isShared?: boolean;
	readonly log: Log;
	/** The machine's when absent. */
	readonly clock?: Clock;
}

type OpenStore = EventStore & {
	/** The embedded store's process, if it is a child of this one. */
	readonly childPid: () => number | undefined;
	/** The embedded store's process, also when it is another one's. */
	readonly storePid: () => number | undefined;
};

/** Opens the embedded store, or a ClickHouse server by its address; `withResource` closes it. */
export async function openEventStore(options: OpenEventStoreOptions): Promise<OpenStore & AsyncDisposable> {
	const { clickhouseUrl, clock = systemClock } = options;
	const store = clickhouseUrl === undefined ? await openEmbedded(options, clock) : openServer(clickhouseUrl, clock);
	return { ...store, [Symbol.asyncDispose]: store.close };
}

function openServer(url: string, clock: Clock): OpenStore {
	const client = openStoreClient({ url });
	const watch = watchStore({ clock, ping: client.ping });
	const store = createClickHouseStore({
		client: () => client,
		querySettings: serverQuerySettings,
		insertSettings: serverInsertSettings,
		close: async () => {
			watch.close();
			await client.close();
		},
	});
	return { ...createFairStore(store, { ...watch, clock }), childPid: () => undefined, storePid: () => undefined };
}

async function openEmbedded(options: OpenEventStoreOptions, clock: Clock): Promise<OpenStore> {
	const { log } = options;
	// Absolute: on a relative path the engine starts, and then fails at its first table.
	const directory = resolve(options.dataDir, "events");
	const settings = { directory, memoryBytes: options.memoryBytes ?? defaultMemory(), log };
	const published = publishedAddress(`${directory}-run`);
	const supervisor =
		options.isShared === true
			? await shareStoreProcess(settings)
			: await superviseStoreProcess({ ...settings, onStarted: published.write });
	const clients = clientOfCurrentProcess(() => supervisor.address());
	const watch = watchStore({
		clock,
		ping: async (signal) => clients.get()?.ping(signal),
		onSilence: () => {
			const pid = supervisor.pid();
			// The process that runs it sees the same.
			if (pid === undefined) return;
			log.error({ pid }, "The event store process does not answer; killing it");
			supervisor.replace();
		},
	});
	const store = createClickHouseStore({
		client: clients.get,
		close: async () => {
			if (watch.silentSince() !== undefined) supervisor.replace();
			watch.close();
			await clients.close();
			if (options.isShared !== true) published.remove();
			await supervisor.close();
		},
	});
	const fair = createFairStore(store, { ...watch, clock, processors: availableParallelism() });
	return { ...fair, childPid: () => supervisor.pid(), storePid: () => supervisor.storePid() };
}

/** The embedded store as a client of the process that a running service has for it, which `close` leaves; `database_unavailable` while that is down. */
export function joinEventStore(dataDir: string): EventStore {
	const published = publishedAddress(`${resolve(dataDir, "events")}-run`);
	const clients = clientOfCurrentProcess(() => published.read()?.address);
	return createClickHouseStore({ client: clients.get, close: clients.close });
}

/** A restarted store process has a new socket and a new secret, hence a new client. */
function clientOfCurrentProcess(address: () => StoreAddress | undefined) {
	let open: { address: StoreAddress; client: StoreClient } | undefined;
	return {
		get(): StoreClient | undefined {
			const now = address();
			if (!now) return undefined;
			if (open?.address !== now) {
				void open?.client.close();
				open = { address: now, client: openStoreClient(now) };
			}
			return open.client;
		},
		close: async () => open?.client.close(),
	};
}

/** A quarter of all memory, from 1 to 4 GiB, but at most half of it, and less where both processes would not have room. */
export function defaultMemory(all = machineMemory()): number {
	const least = Math.max(LEAST, Math.min(GIB, all / 2, all - BESIDE));
	return Math.floor(Math.min(4 * GIB, Math.max(all / 4, least)));
}
