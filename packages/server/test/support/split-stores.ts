import { metadataMigrations } from "../../migrations/metadata/index.ts";
import { noteChanges } from "../../src/analytics/query/engine/event-revisions.ts";
import { createStoredRevisions } from "../../src/analytics/query/engine/stored-revisions.ts";
import { openStores, type Stores } from "../../src/composition/stores.ts";
import type { ReadyConfig } from "../../src/platform/config/secret-key.ts";
import type { EventStore } from "../../src/platform/event-store/event-store.ts";
import { systemClock } from "../../src/platform/lib/clock.ts";
import { ready } from "../../src/platform/lib/readiness.ts";
import type { Log } from "../../src/platform/log/log.ts";
import { migrateMetadata } from "../../src/platform/metadata/migrate-metadata.ts";
import { openMetadata } from "../../src/platform/metadata/open-metadata.ts";
import { lendEventStore } from "./stores-on-shared-engine.ts";

/** Stores of several services: each has its own connections to them. */
export interface SplitStores {
	/** The stores of one more service. */
	open(config: ReadyConfig): Promise<Stores>;
	/** Once those of all services are closed. */
	close(): Promise<void>;
}

/** Reading what the store says of its parts anew for every report, as if a second had passed since the last one. */
const revisionsOf = (eventStore: EventStore) => {
	let now = 0;
	return createStoredRevisions({ eventStore, clock: { monotonic: () => (now += 1000) } });
};

/** On an engine that is lent; with accounts whose tables are there, or are still to be made. */
export async function splitStoresOnSharedEngine({ hasTables }: { readonly hasTables: boolean }): Promise<SplitStores> {
	const { store, giveBack } = await lendEventStore();
	return {
		close: giveBack,
		open: async (config) => {
			const metadata = await openMetadata(config);
			if (!hasTables) await migrateMetadata(metadata, metadataMigrations, systemClock.now());
			const revisions = revisionsOf(store);
			return {
				metadata,
				settings: metadata,
				accountTables: ready,
				eventStore: noteChanges(store, revisions),
				holdWrites: undefined,
				eventTables: ready,
				storeProcess: store.childPid,
				revisions,
				close: () => metadata.destroy(),
			};
		},
	};
}

/** On the directory that a test keeps, or the servers that it names: as processes open them. */
export const splitStores = (log: Log): SplitStores => ({
	close: async () => undefined,
	open: async (config) => {
		const stores = await openStores(config, log, { isPatient: config.roles.includes("collect") });
		return { ...stores, revisions: revisionsOf(stores.eventStore) };
	},
});
