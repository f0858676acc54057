import { eventMigrations, migrateEvents } from "../../migrations/events/index.ts";
import { metadataMigrations } from "../../migrations/metadata/index.ts";
import type { ReadyConfig } from "../platform/config/secret-key.ts";
import { ServiceError } from "../platform/errors/service-error.ts";
import type { EventStore } from "../platform/event-store/event-store.ts";
import { openEventStore } from "../platform/event-store/open-event-store.ts";
import { makePrivate } from "../platform/files/make-private.ts";
import { systemClock } from "../platform/lib/clock.ts";
import { within } from "../platform/lib/within.ts";
import { describeCause } from "../platform/log/describe-cause.ts";
import type { Log } from "../platform/log/log.ts";
import type { Metadata } from "../platform/metadata/metadata.ts";
import { isNewStore, migrateMetadata, underMigrationLock } from "../platform/metadata/migrate-metadata.ts";
import { openMetadata } from "../platform/metadata/open-metadata.ts";
import { lateEventStore } from "./late-event-store.ts";
import { keepTrying, type Readiness, ready } from "./readiness.ts";

/** How long a server may take for its first answer. */
const ANSWER_MS = 5000;

/** The open stores. */
export interface Stores {
	readonly metadata: Metadata;
	readonly eventStore: EventStore;
	/** Ready when the tables of the event store are up to date; until then it answers `database_unavailable`. */
	readonly eventTables: Readiness;
	/** Closes both. What takes longer than `withinMs` milliseconds is ended by force, which loses nothing that was stored. */
	close(withinMs?: number): Promise<void>;
}

type StoreConfig = Pick<
	ReadyConfig,
	"dataDir" | "databaseUrl" | "clickhouseUrl" | "clickhouseCluster" | "eventStoreMemory"
>;

type OpenEventStore = Awaited<ReturnType<typeof openEventStore>>;

/**
 * Opens both stores and brings their tables up to date; when one fails the other is closed again. With
 * `isPatient`, a ClickHouse server that is away does not keep anybody waiting: it is tried again until it answers.
 */
export async function openStores(
	config: StoreConfig,
	log: Log,
	{ isPatient = false }: { readonly isPatient?: boolean } = {},
): Promise<Stores> {
	makePrivate(config.dataDir);
	// The event store comes first: its process takes longest to start.
	const opening = openEvents(config, log);
	const [events, accounts] = await Promise.allSettled([opening, openAccounts(config, opening)]);
	try {
		if (events.status === "rejected") throw naming("CLICKHOUSE_URL", config.clickhouseUrl, events.reason);
		if (accounts.status === "rejected") throw naming("DATABASE_URL", config.databaseUrl, accounts.reason);
		return await withEventTables(config, log, { events: events.value, metadata: accounts.value, isPatient });
	} catch (error) {
		if (events.status === "fulfilled") await events.value.close();
		if (accounts.status === "fulfilled") await accounts.value.destroy();
		throw error;
	}
}

async function withEventTables(
	config: StoreConfig,
	log: Log,
	{
		events,
		metadata,
		isPatient,
	}: { readonly events: OpenEventStore; readonly metadata: Metadata; readonly isPatient: boolean },
): Promise<Stores> {
	const bringUpToDate = async () => {
		try {
			await migrate(events, config);
		} catch (error) {
			if (config.clickhouseUrl !== undefined) throw naming("CLICKHOUSE_URL", config.clickhouseUrl, error);
			if (!(error instanceof ServiceError)) throw error;
			throw new Error(`The event store in DATA_DIR cannot be used: ${reasonOf(error)}`, { cause: error });
		}
	};
	if (!isPatient || config.clickhouseUrl === undefined) {
		await bringUpToDate();
		const close = (withinMs?: number) => closeStores(events, metadata, withinMs);
		return { metadata, eventStore: events, eventTables: ready, close };
	}
	const tables = keepTrying(bringUpToDate, (error) => {
		const fields = { setting: "CLICKHOUSE_URL", cause: describeCause(error), reason: reasonOf(error) };
		log.error(fields, "The event store cannot be used yet; hits are kept until it can");
	});
	return {
		metadata,
		eventStore: lateEventStore(events, () => tables.isReady),
		eventTables: tables,
		close: async (withinMs) => {
			tables.stop();
			await closeStores(events, metadata, withinMs);
		},
	};
}

async function migrate(store: EventStore, config: StoreConfig): Promise<void> {
	// A server that hangs is found out before anything is locked for it.
	const answered = await within(
		ANSWER_MS,
		store.ping().then(() => true),
	);
	if (answered === undefined) throw new ServiceError("gateway_timeout");
	const topology = config.clickhouseCluster === undefined ? {} : { cluster: config.clickhouseCluster };
	await migrateEvents(store, topology, eventMigrations, (work) =>
		withMigrator(config, (metadata) => underMigrationLock(metadata, work)),
	);
}

/** A connection of its own to the metadata store, which may take as long as a migration does. */
async function withMigrator<T>(config: StoreConfig, work: (metadata: Metadata) => Promise<T>): Promise<T> {
	const metadata = await openMetadata({ ...config, isForMigrations: true });
	try {
		return await work(metadata);
	} finally {
		await metadata.destroy();
	}
}

async function closeStores(events: OpenEventStore, metadata: Metadata, withinMs: number | undefined): Promise<void> {
	const closing = Promise.all([events.close(), metadata.destroy()]);
	if (withinMs === undefined) await closing;
	else if ((await within(withinMs, closing)) === undefined) {
		const pid = events.childPid();
		if (pid !== undefined) process.kill(pid, "SIGKILL");
		await within(withinMs, closing);
	}
}

/** A failure of a store that is reached by an address says which setting holds it. */
function naming(variable: string, address: string | undefined, error: unknown): unknown {
	if (address === undefined || !(error instanceof Error) || error instanceof TypeError) return error;
	return new Error(`${variable}: ${error.message}`, { cause: error.cause ?? error });
}

/** What a store answers, without the values of a statement; at the start there are none of visitors either. */
function reasonOf(error: Error): string {
	const cause = error.cause instanceof Error ? error.cause.message : "";
	return cause === "" ? error.message : `${error.message} (${cause})`;
}

const openEvents = (config: StoreConfig, log: Log): Promise<OpenEventStore> =>
	openEventStore({
		dataDir: config.dataDir,
		log,
		...(config.clickhouseUrl === undefined ? {} : { clickhouseUrl: config.clickhouseUrl }),
		...(config.eventStoreMemory === undefined ? {} : { memoryBytes: config.eventStoreMemory }),
	});

async function openAccounts(config: StoreConfig, events: Promise<EventStore>): Promise<Metadata> {
	await withMigrator(config, async (metadata) => {
		const isOneDirectory = config.databaseUrl === undefined && config.clickhouseUrl === undefined;
		if (isOneDirectory && (await isNewStore(metadata)) && (await hasHits(await events))) {
			throw new Error(
				"metadata.sqlite in DATA_DIR holds no accounts, but events/ beside it holds hits: put it back from a backup together with metadata.sqlite-wal, or move events/ away to begin anew",
			);
		}
		await migrateMetadata(metadata, metadataMigrations, systemClock.now());
	});
	return openMetadata(config);
}

async function hasHits(events: EventStore): Promise<boolean> {
	const [table] = await events.query<{ n: number }>({
		sql: "SELECT count() AS n FROM system.tables WHERE database = currentDatabase() AND name = 'events'",
	});
	if (table?.n !== 1) return false;
	return (await events.query({ sql: "SELECT 1 AS one FROM events LIMIT 1" })).length > 0;
}
