import { metadataMigrations } from "../../migrations/metadata/index.ts";
import { noteSecret } from "../features/operating/server-secret/index.ts";
import { ConfigError } from "../platform/config/config.ts";
import type { ReadyConfig } from "../platform/config/secret-key.ts";
import { ServiceError } from "../platform/errors/service-error.ts";
import type { EventStore } from "../platform/event-store/event-store.ts";
import type { Clock } from "../platform/lib/clock.ts";
import { keepTrying, type Readiness, ready } from "../platform/lib/readiness.ts";
import { withResource } from "../platform/lib/with-resource.ts";
import { describeCause } from "../platform/log/describe-cause.ts";
import type { Log } from "../platform/log/log.ts";
import type { Metadata } from "../platform/metadata/metadata.ts";
import { isNewStore, migrateMetadata } from "../platform/metadata/migrate-metadata.ts";
import { openMetadata } from "../platform/metadata/open-metadata.ts";
import { openStandby } from "./standby.ts";

export interface AccountsStore {
	readonly metadata: Metadata;
	/** Settings for hits: a copy while the metadata store has been away since the start. */
	readonly settings: Metadata;
	/** Ready when its tables are up to date. */
	readonly tables: Readiness;
	close(): Promise<void>;
}

type AccountsConfig = Pick<
	ReadyConfig,
	"dataDir" | "databaseUrl" | "clickhouseUrl" | "secretKey" | "secretKeyPrevious"
>;

interface AccountsDeps {
	readonly config: AccountsConfig;
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
export async function withMigrator<T>(
	config: Pick<AccountsConfig, "dataDir" | "databaseUrl">,
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
