import { eventMigrations, migrateEvents } from "../../migrations/events/index.ts";
import { metadataMigrations } from "../../migrations/metadata/index.ts";
import {
	createEventRevisions,
	createStoredRevisions,
	type EventRevisions,
	noteChanges,
} from "../analytics/query/engine/event-revisions.ts";
import { noteSecret } from "../features/operating/server-secret/index.ts";
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
import { withResource } from "../platform/lib/with-resource.ts";
import { within } from "../platform/lib/within.ts";
import { describeCause } from "../platform/log/describe-cause.ts";
import type { Log } from "../platform/log/log.ts";
import type { Metadata } from "../platform/metadata/metadata.ts";
import { isNewStore, migrateMetadata, underMigrationLock } from "../platform/metadata/migrate-metadata.ts";
import { openMetadata } from "../platform/metadata/open-metadata.ts";
import { openStandby } from "./standby.ts";

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

type OpenEventStore = Awaited<ReturnType<typeof openEventStore>>;

/** Opens both stores and brings their tables up to date. With `isPatient`, a server that is away is tried again while hits are taken. */
export async function openStores(
	config: ReadyConfig,
	log: Log,
	{ isPatient = false, clock = systemClock }: { readonly isPatient?: boolean; readonly clock?: Clock } = {},
): Promise<Stores> {
	makePrivate(config.dataDir);
	// The event store comes first: its process takes longest to start.
	const opening = openEventStore({
		dataDir: config.dataDir,
		log,
		clock,
		isShared: !isWhole(config),
		clickhouseUrl: config.clickhouseUrl,
		memoryBytes: config.eventStoreMemory,
	});
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
	config: ReadyConfig,
	log: Log,
	opening: Pick<AccountsDeps, "isPatient" | "clock"> & { events: OpenEventStore; accounts: AccountsStore },
): Promise<Stores> {
	const { events, accounts, isPatient, clock } = opening;
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
	// An embedded engine is written by this process only; a shared one and a server also by others.
	const isOurs = config.clickhouseUrl === undefined && isWhole(config);
	const revisions = isOurs
		? createEventRevisions()
		: createStoredRevisions({ eventStore: events, clock, cluster: config.clickhouseCluster });
	const { store: eventStore, holdWrites: hold } = holdable(noteChanges(events, revisions));
	const holdWrites = config.clickhouseUrl === undefined ? hold : undefined;
	const opened = { metadata, settings, accountTables, storeProcess: events.storePid, revisions, holdWrites };
	const isWaitedFor = !isPatient || (config.clickhouseUrl === undefined && accountTables.isReady);
	if (isWaitedFor) await bringUpToDate();
	const setting = config.clickhouseUrl === undefined ? "DATABASE_URL" : "CLICKHOUSE_URL";
	const notAvailable = (error: Error) => {
		const fields = { setting, cause: describeCause(error), reason: reasonOf(error) };
		log.error(fields, "The event store is not available; hits are kept in the spool");
	};
	const tables = isWaitedFor ? undefined : keepTrying(clock, bringUpToDate, notAvailable);
	return {
		...opened,
		eventStore: tables === undefined ? eventStore : lateStore(eventStore, () => tables.isReady),
		eventTables: tables ?? ready,
		close: async (withinMs) => {
			tables?.stop();
			await closeStores(events, accounts, clock, withinMs);
		},
	};
}

async function migrate(store: EventStore, config: ReadyConfig, clock: Clock): Promise<void> {
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

export interface AccountsStore extends Pick<Stores, "metadata" | "settings"> {
	/** Ready when its tables are up to date. */
	readonly tables: Readiness;
	close(): Promise<void>;
}

interface AccountsDeps {
	readonly config: ReadyConfig;
	readonly clock: Clock;
	readonly log: Log;
	readonly events: Promise<EventStore>;
	/** True for who takes hits: a PostgreSQL that is away does not keep them from that, when they have its settings. */
	readonly isPatient: boolean;
}

export async function openAccounts(deps: AccountsDeps): Promise<AccountsStore> {
	try {
		await bringUpToDate(deps);
	} catch (error) {
		const isAway = error instanceof ServiceError && error.code === "database_unavailable";
		if (!deps.isPatient || deps.config.databaseUrl === undefined || !isAway) throw error;
		const standby = await openStandby(deps.config, deps.clock.now());
		if (standby === undefined) throw error;
		return openLate(deps, standby);
	}
	const metadata = await openMetadata(deps.config);
	return { metadata, settings: metadata, tables: ready, close: () => metadata.destroy() };
}

async function openLate(deps: AccountsDeps, standby: Metadata): Promise<AccountsStore> {
	const metadata = await openMetadata(deps.config);
	const settings = switchingMetadata(standby);
	const attempt = async () => {
		await bringUpToDate(deps);
		settings.switchTo(metadata);
	};
	const tables = keepTrying(deps.clock, attempt, (error) => {
		const fields = { setting: "DATABASE_URL", cause: describeCause(error) };
		deps.log.error(fields, "The metadata store is not available; hits are accepted with the last known settings");
	});
	return {
		metadata,
		settings: settings.metadata,
		tables,
		close: async () => {
			tables.stop();
			await Promise.all([metadata.destroy(), standby.destroy()]);
		},
	};
}

const bringUpToDate = ({ config, clock, log, events }: AccountsDeps): Promise<void> =>
	withMigrator(config, async (metadata) => {
		const isOneDirectory = config.databaseUrl === undefined && config.clickhouseUrl === undefined;
		if (isOneDirectory && (await isNewStore(metadata)) && (await hasHits(await events))) {
			throw new Error(
				"metadata.sqlite in DATA_DIR holds no accounts, but events/ beside it holds hits: put it back from a backup together with metadata.sqlite-wal, or move events/ away to begin anew",
			);
		}
		await migrateMetadata(metadata, metadataMigrations, clock.now());
		if (config.databaseUrl !== undefined) await checkSecret(metadata, { config, clock, log });
	});

/** Tokens that one process gives out would mean nothing to another with another secret. Throws `ConfigError`. */
async function checkSecret(metadata: Metadata, { config, clock, log }: Pick<AccountsDeps, "config" | "clock" | "log">) {
	const match = await noteSecret(metadata, config, clock.now());
	if (match === "other") {
		throw new ConfigError(
			"SECRET_KEY is not the secret of the other processes on DATABASE_URL: give all of them the same, or the one of before as SECRET_KEY_PREVIOUS; where that is lost, footfall secret accept takes the new one",
		);
	}
	if (match === "earlier") {
		log.warn({ setting: "SECRET_KEY" }, "SECRET_KEY has been followed by another one: give it to this process too");
	}
}

async function hasHits(events: EventStore): Promise<boolean> {
	const [table] = await events.query<{ n: number }>({
		sql: "SELECT count() AS n FROM system.tables WHERE database = currentDatabase() AND name = 'events'",
	});
	if (table?.n !== 1) return false;
	return (await events.query({ sql: "SELECT 1 AS one FROM events LIMIT 1" })).length > 0;
}

/** Does work on a connection of its own to the metadata store, which may take as long as a migration does. */
async function withMigrator<T>(
	config: Pick<ReadyConfig, "dataDir" | "databaseUrl">,
	work: (metadata: Metadata) => Promise<T>,
): Promise<T> {
	return withResource(await openMetadata({ ...config, isForMigrations: true }), work);
}

/** `metadata` is the first one until another steps in its place; statements and transactions end where they began. */
function switchingMetadata(first: Metadata) {
	let current = first;
	return {
		metadata: new Proxy(first, {
			get: (_first, name) => {
				const value: unknown = Reflect.get(current, name, current);
				return typeof value === "function" ? value.bind(current) : value;
			},
		}),
		switchTo: (next: Metadata) => {
			current = next;
		},
	};
}
