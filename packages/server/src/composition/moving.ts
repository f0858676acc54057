import { eventMigrations, migrateEvents } from "../../migrations/events/index.ts";
import { metadataMigrations } from "../../migrations/metadata/index.ts";
import { loadSpool } from "../features/collecting/collect/index.ts";
import {
	type AccountsMove,
	checkAccountsTarget,
	checkEventsTarget,
	type EventPlace,
	type EventsMove,
	knownTargets,
	MoveError,
} from "../features/operating/move/index.ts";
import type { ReadyConfig } from "../platform/config/secret-key.ts";
import type { EventStore } from "../platform/event-store/event-store.ts";
import { joinEventStore, openEventStore } from "../platform/event-store/open-event-store.ts";
import { systemClock } from "../platform/lib/clock.ts";
import { once } from "../platform/lib/once.ts";
import { orUndo, withResource } from "../platform/lib/with-resource.ts";
import type { Log } from "../platform/log/log.ts";
import type { Metadata } from "../platform/metadata/metadata.ts";
import { compareMigrations, migrateMetadata } from "../platform/metadata/migrate-metadata.ts";
import { openMetadata } from "../platform/metadata/open-metadata.ts";

export interface MovingDeps {
	readonly config: ReadyConfig;
	readonly log: Log;
	/** True while a service works on the directory: its stores are up to date, and its embedded engine is asked. */
	readonly isServed: boolean;
	/** Looks at the targets, and leaves them as they are. */
	readonly isOnlyLook: boolean;
}

/** Accounts or events that move, with what lets go of their stores. */
type Opened<T> = T & { close(): Promise<void> };

const bringAccountsUpToDate = async (metadata: Metadata): Promise<void> =>
	void (await migrateMetadata(metadata, metadataMigrations, systemClock.now()));

const bringEventsUpToDate = async ({ store, cluster }: EventPlace): Promise<void> =>
	void (await migrateEvents(store, cluster === undefined ? {} : { cluster }));

/** Accounts on their way from SQLite to a PostgreSQL that can take them. */
export async function accountsToServer(deps: MovingDeps, databaseUrl: string): Promise<Opened<AccountsMove>> {
	const { dataDir } = deps.config;
	const to = await openMetadata({ databaseUrl, dataDir, isForMigrations: true });
	const known = knownTargets(dataDir);
	const close = () => to.destroy();
	return orUndo(close, async () => {
		await withResource(await openMetadata({ dataDir }), async (from) => {
			await readyAccounts(deps, from);
			await checkAccountsTarget(to, from, known.has(databaseUrl));
		});
		if (!deps.isOnlyLook) {
			await known.add(databaseUrl);
			await bringAccountsUpToDate(to);
		}
		return { from: { dataDir }, to, close };
	});
}

/** Accounts on their way back from PostgreSQL. */
export async function accountsFromServer(deps: MovingDeps): Promise<Opened<AccountsMove>> {
	const { dataDir, databaseUrl } = deps.config;
	await withResource(await openMetadata({ databaseUrl, dataDir }), (from) => readyAccounts(deps, from));
	const to = await openMetadata({ dataDir, isForMigrations: true });
	await bringAccountsUpToDate(to);
	return { from: { dataDir, databaseUrl }, to, close: () => to.destroy() };
}

async function readyAccounts({ isServed, isOnlyLook }: MovingDeps, metadata: Metadata): Promise<void> {
	if (!isServed && !isOnlyLook) return bringAccountsUpToDate(metadata);
	const { missing, unknown } = await compareMigrations(metadata, metadataMigrations);
	if (missing.length + unknown.length > 0) refuseOtherRelease();
}

function refuseOtherRelease(): never {
	throw new MoveError("source_not_current", "The service is of another release than this command: start it anew first");
}

/** Events on their way from the embedded store to a ClickHouse that can take them. */
export async function eventsToServer(deps: MovingDeps, clickhouseUrl: string): Promise<Opened<EventsMove>> {
	const { dataDir, moveClickhouseCluster: cluster } = deps.config;
	const to: EventPlace = { store: await openEventStore({ dataDir, clickhouseUrl, log: deps.log }), cluster };
	const known = knownTargets(dataDir);
	const opened = [to.store];
	return orUndo(
		() => closeAll(opened),
		async () => {
			await checkEventsTarget(to.store, known.has(clickhouseUrl));
			const from: EventPlace = { store: deps.isServed ? joinEventStore(dataDir) : await openOwn(deps) };
			opened.push(from.store);
			await readyEvents(deps, from);
			if (!deps.isOnlyLook) {
				await known.add(clickhouseUrl);
				await bringEventsUpToDate(to);
			}
			return eventsMove(deps, from, to);
		},
	);
}

/** Events on their way back from ClickHouse. */
export async function eventsFromServer(deps: MovingDeps): Promise<Opened<EventsMove>> {
	const { dataDir, clickhouseUrl, clickhouseCluster: cluster } = deps.config;
	if (clickhouseUrl === undefined) throw new MoveError("target_missing", "Events are in the data directory");
	const from: EventPlace = { store: await openEventStore({ dataDir, clickhouseUrl, log: deps.log }), cluster };
	const opened = [from.store];
	return orUndo(
		() => closeAll(opened),
		async () => {
			const to: EventPlace = { store: await openOwn(deps) };
			opened.push(to.store);
			await readyEvents(deps, from);
			await bringEventsUpToDate(to);
			return eventsMove(deps, from, to);
		},
	);
}

const openOwn = ({ config: { dataDir, eventStoreMemory }, log }: MovingDeps): Promise<EventStore> =>
	openEventStore({ dataDir, log, memoryBytes: eventStoreMemory });

async function readyEvents({ isServed, isOnlyLook }: MovingDeps, place: EventPlace): Promise<void> {
	if (!isServed && !isOnlyLook) return bringEventsUpToDate(place);
	const [row] = await place.store.query<{ version: number }>({
		sql: "SELECT max(version) AS version FROM event_migrations",
	});
	if (row?.version !== eventMigrations.length) refuseOtherRelease();
}

const eventsMove = ({ config, log }: MovingDeps, from: EventPlace, to: EventPlace): Opened<EventsMove> => ({
	from,
	to,
	emptySpool: () =>
		loadSpool({ dataDir: config.dataDir, store: from.store, clock: systemClock, log, maxBytes: config.spoolMaxBytes }),
	close: once(() => closeAll([from.store, to.store])),
});

const closeAll = async (stores: readonly EventStore[]): Promise<void> =>
	void (await Promise.all(stores.map((store) => store.close())));
