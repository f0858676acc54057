import { eventMigrations, migrateEvents } from "../../migrations/events/index.ts";
import {
	createEventRevisions,
	createStoredRevisions,
	type EventRevisions,
	noteChanges,
} from "../analytics/query/engine/event-revisions.ts";
import { ConfigError } from "../platform/config/config.ts";
import { isWhole } from "../platform/config/roles.ts";
import type { ReadyConfig } from "../platform/config/secret-key.ts";
import { ServiceError } from "../platform/errors/service-error.ts";
import type { EventStore } from "../platform/event-store/event-store.ts";
import { type HoldWrites, holdable } from "../platform/event-store/hold-writes.ts";
import { lateStore } from "../platform/event-store/layers.ts";
import { openEventStore } from "../platform/event-store/open-event-store.ts";
import { makePrivate } from "../platform/files/make-directory.ts";
import { type Clock, systemClock } from "../platform/lib/clock.ts";
import { keepTrying, type Readiness, ready } from "../platform/lib/readiness.ts";
import { within } from "../platform/lib/within.ts";
import { describeCause } from "../platform/log/describe-cause.ts";
import type { Log } from "../platform/log/log.ts";
import type { Metadata } from "../platform/metadata/metadata.ts";
import { underMigrationLock } from "../platform/metadata/migrate-metadata.ts";
import { type AccountsStore, openAccounts, withMigrator } from "./accounts-store.ts";

/** How long a server may take for its first answer. */
const ANSWER_MS = 5000;

export interface Stores {
	readonly metadata: Metadata;
	/** Settings for hits: a copy while the metadata store has been away since the start. */
	readonly settings: Metadata;
	readonly accountTables: Readiness;
	readonly eventStore: EventStore;
	/** Ready when the tables of the event store are up to date; until then it answers `database_unavailable`. */
	readonly eventTables: Readiness;
	/** The process of the embedded event store; undefined while it is down, and where the store is a server. */
	readonly storeProcess: () => number | undefined;
	/** Does work while writes to the event store are paused; undefined for a server, which has other writers. */
	readonly holdWrites: HoldWrites | undefined;
	/** Change with what is stored, through `eventStore` or by other processes. */
	readonly revisions: EventRevisions;
	/** Closes both. After `withinMs` milliseconds it ends them by force, which loses no stored row. */
	close(withinMs?: number): Promise<void>;
}

type StoreConfig = Pick<
	ReadyConfig,
	| "dataDir"
	| "databaseUrl"
	| "clickhouseUrl"
	| "clickhouseCluster"
	| "eventStoreMemory"
	| "roles"
	| "secretKey"
	| "secretKeyPrevious"
>;

type OpenEventStore = Awaited<ReturnType<typeof openEventStore>>;

/** Opens both stores and brings their tables up to date. With `isPatient`, a server that is away is tried again while hits are taken. */
export async function openStores(
	config: StoreConfig,
	log: Log,
	{ isPatient = false, clock = systemClock }: { readonly isPatient?: boolean; readonly clock?: Clock } = {},
): Promise<Stores> {
	makePrivate(config.dataDir);
	// The event store comes first: its process takes longest to start.
	const opening = openEvents(config, log, clock);
	const [events, accounts] = await Promise.allSettled([
		opening,
		openAccounts({ config, clock, log, events: opening, isPatient }),
	]);
	try {
		if (events.status === "rejected") throw naming("CLICKHOUSE_URL", config.clickhouseUrl, events.reason);
		if (accounts.status === "rejected") throw naming("DATABASE_URL", config.databaseUrl, accounts.reason);
		return await withEventTables(config, log, { events: events.value, accounts: accounts.value, isPatient, clock });
	} catch (error) {
		if (events.status === "fulfilled") await events.value.close();
		if (accounts.status === "fulfilled") await accounts.value.close();
		throw error;
	}
}

async function withEventTables(
	config: StoreConfig,
	log: Log,
	{
		events,
		accounts,
		isPatient,
		clock,
	}: {
		readonly events: OpenEventStore;
		readonly accounts: AccountsStore;
		readonly isPatient: boolean;
		readonly clock: Clock;
	},
): Promise<Stores> {
	const { metadata, settings, tables: accountTables } = accounts;
	const bringUpToDate = async () => {
		try {
			await migrate(events, config, clock);
		} catch (error) {
			if (config.clickhouseUrl !== undefined) throw naming("CLICKHOUSE_URL", config.clickhouseUrl, error);
			if (!(error instanceof ServiceError)) throw error;
			throw new Error(`The event store in DATA_DIR cannot be used: ${reasonOf(error)}`, { cause: error });
		}
	};
	const revisions = revisionsOf(events, config, clock);
	const { store: eventStore, holdWrites: hold } = holdable(noteChanges(events, revisions));
	const holdWrites = config.clickhouseUrl === undefined ? hold : undefined;
	const opened = { metadata, settings, accountTables, storeProcess: events.storePid, revisions, holdWrites };
	if (!isPatient || (config.clickhouseUrl === undefined && accountTables.isReady)) {
		await bringUpToDate();
		const close = (withinMs?: number) => closeStores(events, accounts, clock, withinMs);
		return { ...opened, eventStore, eventTables: ready, close };
	}
	const setting = config.clickhouseUrl === undefined ? "DATABASE_URL" : "CLICKHOUSE_URL";
	const tables = keepTrying(clock, bringUpToDate, (error) => {
		const fields = { setting, cause: describeCause(error), reason: reasonOf(error) };
		log.error(fields, "The event store is not available; hits are kept in the spool");
	});
	return {
		...opened,
		eventStore: lateStore(eventStore, () => tables.isReady),
		eventTables: tables,
		close: async (withinMs) => {
			tables.stop();
			await closeStores(events, accounts, clock, withinMs);
		},
	};
}

/** An embedded engine is written by this process only; a shared one and a server also by others. */
const revisionsOf = (eventStore: EventStore, config: StoreConfig, clock: Clock): EventRevisions =>
	config.clickhouseUrl === undefined && isWhole(config)
		? createEventRevisions()
		: createStoredRevisions({ eventStore, clock, cluster: config.clickhouseCluster });

async function migrate(store: EventStore, config: StoreConfig, clock: Clock): Promise<void> {
	// A server that hangs is found out before anything is locked for it.
	const answered = await within(
		clock,
		ANSWER_MS,
		store.ping().then(() => true),
	);
	if (answered === undefined) throw new ServiceError("gateway_timeout");
	const topology = config.clickhouseCluster === undefined ? {} : { cluster: config.clickhouseCluster };
	await migrateEvents(store, topology, eventMigrations, (work) =>
		withMigrator(config, (metadata) => underMigrationLock(metadata, work)),
	);
}

async function closeStores(
	events: OpenEventStore,
	accounts: AccountsStore,
	clock: Clock,
	withinMs: number | undefined,
): Promise<void> {
	const closing = Promise.all([events.close(), accounts.close()]);
	if (withinMs === undefined) await closing;
	else if ((await within(clock, withinMs, closing)) === undefined) {
		const pid = events.childPid();
		if (pid !== undefined) process.kill(pid, "SIGKILL");
		await within(clock, withinMs, closing);
	}
}

/** A failure of a store that is reached by an address says which setting holds it. */
function naming(variable: string, address: string | undefined, error: unknown): unknown {
	if (address === undefined || !(error instanceof Error)) return error;
	if (error instanceof TypeError || error instanceof ConfigError) return error;
	return new Error(`${variable}: ${error.message}`, { cause: error.cause ?? error });
}

/** Error message of a store without the values of a statement; at the start a statement has no values of visitors. */
function reasonOf(error: Error): string {
	const cause = error.cause instanceof Error ? error.cause.message : "";
	return cause === "" ? error.message : `${error.message} (${cause})`;
}

const openEvents = (config: StoreConfig, log: Log, clock: Clock): Promise<OpenEventStore> =>
	openEventStore({
		dataDir: config.dataDir,
		log,
		clock,
		isShared: !isWhole(config),
		clickhouseUrl: config.clickhouseUrl,
		memoryBytes: config.eventStoreMemory,
	});
