import { mkdirSync } from "node:fs";
import { migrateEvents } from "../../migrations/events/index.ts";
import { metadataMigrations } from "../../migrations/metadata/index.ts";
import { createEventRevisions, type EventRevisions, noteChanges } from "../analytics/query/engine/event-revisions.ts";
import { createStoredRevisions } from "../analytics/query/engine/stored-revisions.ts";
import type { ReadyConfig } from "../platform/config/secret-key.ts";
import type { EventStore } from "../platform/event-store/event-store.ts";
import { openEventStore } from "../platform/event-store/open-event-store.ts";
import { systemClock } from "../platform/lib/clock.ts";
import type { Log } from "../platform/log/log.ts";
import type { Metadata } from "../platform/metadata/metadata.ts";
import { migrateMetadata } from "../platform/metadata/migrate-metadata.ts";
import { openMetadata } from "../platform/metadata/open-metadata.ts";

/** The open stores, their tables up to date. */
export interface Stores {
	readonly metadata: Metadata;
	readonly eventStore: EventStore;
	/** Change with what is stored, through `eventStore` or by other processes. */
	readonly revisions: EventRevisions;
	close(): Promise<void>;
}

type StoreConfig = Pick<
	ReadyConfig,
	"dataDir" | "databaseUrl" | "clickhouseUrl" | "clickhouseCluster" | "eventStoreMemory"
>;

/** Opens both stores at once; when one fails the other is closed again. */
export async function openStores(config: StoreConfig, log: Log): Promise<Stores> {
	mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
	// The event store comes first: its process takes longest to start.
	const [events, accounts] = await Promise.allSettled([openEvents(config, log), openAccounts(config)]);
	if (events.status === "fulfilled" && accounts.status === "fulfilled") {
		const { clickhouseUrl, clickhouseCluster: cluster } = config;
		const revisions =
			clickhouseUrl === undefined
				? createEventRevisions()
				: createStoredRevisions({ eventStore: events.value, cluster });
		const eventStore = noteChanges(events.value, revisions);
		const metadata = accounts.value;
		return {
			metadata,
			eventStore,
			revisions,
			close: async () => {
				await Promise.all([eventStore.close(), metadata.destroy()]);
			},
		};
	}
	if (events.status === "fulfilled") await events.value.close();
	if (accounts.status === "fulfilled") await accounts.value.destroy();
	if (events.status === "rejected") throw naming("CLICKHOUSE_URL", config.clickhouseUrl, events.reason);
	throw naming("DATABASE_URL", config.databaseUrl, (accounts as PromiseRejectedResult).reason);
}

/** A failure of a store that is reached by an address says which setting holds it. */
function naming(variable: string, address: string | undefined, error: unknown): unknown {
	if (address === undefined || !(error instanceof Error) || error instanceof TypeError) return error;
	return new Error(`${variable}: ${error.message}`, { cause: error.cause ?? error });
}

async function openEvents(config: StoreConfig, log: Log): Promise<EventStore> {
	const store = await openEventStore({
		dataDir: config.dataDir,
		log,
		...(config.clickhouseUrl === undefined ? {} : { clickhouseUrl: config.clickhouseUrl }),
		...(config.eventStoreMemory === undefined ? {} : { memoryBytes: config.eventStoreMemory }),
	});
	try {
		await migrateEvents(store, config.clickhouseCluster === undefined ? {} : { cluster: config.clickhouseCluster });
		return store;
	} catch (error) {
		await store.close();
		throw error;
	}
}

async function openAccounts(config: StoreConfig): Promise<Metadata> {
	const metadata = await openMetadata(config);
	try {
		await migrateMetadata(metadata, metadataMigrations, systemClock.now());
		return metadata;
	} catch (error) {
		await metadata.destroy();
		throw error;
	}
}
