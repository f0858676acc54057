import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { InjectOptions, LightMyRequestResponse } from "fastify";
import { pino } from "pino";
import { buildApp, type Service } from "../../src/composition/app.ts";
import { openStores, type Stores } from "../../src/composition/stores.ts";
import { loadConfig } from "../../src/platform/config/config.ts";
import { type ReadyConfig, withSecretKey } from "../../src/platform/config/secret-key.ts";
import type { EventStore } from "../../src/platform/event-store/event-store.ts";
import type { Log } from "../../src/platform/log/log.ts";
import type { GuardedFetchOptions } from "../../src/platform/outbound/guarded-fetch.ts";
import { placeMigratedFile } from "./migrated-file.ts";
import { storesOnSharedEngine } from "./stores-on-shared-engine.ts";
import { createTestClock, type TestClock } from "./test-clock.ts";
import { migratedSchema } from "./test-schema.ts";

/** The whole service on a directory of its own, with a clock that stands still. */
export interface TestApp extends Omit<Stores, "close">, Service {
	readonly config: ReadyConfig;
	readonly clock: TestClock;
	/** Lines that the service logged. */
	readonly logLines: readonly string[];
	/** A request without a network; `/event` is not reached this way. */
	readonly inject: (request: InjectOptions) => Promise<LightMyRequestResponse>;
	/** Address of the service on a real port; it listens from the first call on. */
	address(): Promise<string>;
	[Symbol.asyncDispose](): Promise<void>;
}

interface TestAppOptions {
	/** Environment variables beyond those of a test. */
	readonly env?: Readonly<Record<string, string>>;
	/** Moment at which the clock stands; 2026-11-21T12:00:00.000Z when absent. */
	readonly now?: string;
	/** A directory of the test, to start again on the same data; it is kept. Without it the engine serves one app of the file after the other. */
	readonly dataDir?: string;
	/** Puts something between the service and its event store, to see what is asked. */
	readonly wrapEventStore?: (store: EventStore) => EventStore;
	/** How servers that users name are reached, where it differs from the usual. */
	readonly outbound?: Partial<GuardedFetchOptions>;
	/** Where a built dashboard lies; without it there is none. */
	readonly dashboardDir?: string;
	/** Where the built help lies; without it there is none. */
	readonly helpDir?: string;
	/** False: resolves before the visits of an earlier run are back. */
	readonly waitsForVisits?: boolean;
	/** Keeps accounts in a new schema of the PostgreSQL that TEST_DATABASE_URL names. */
	readonly onPostgres?: boolean;
}

/** Builds and starts the service; close it by `await using` or `close()`. Every answer is checked against its schema. */
export async function testApp(options: TestAppOptions = {}): Promise<TestApp> {
	const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), "footfall-test-"));
	const schema = options.onPostgres === true ? await migratedSchema() : undefined;
	const config = configOf(dataDir, { ...(schema && { DATABASE_URL: schema.url }), ...options.env });
	const clock = createTestClock(options.now ?? "2026-11-21T12:00:00.000Z");
	const logLines: string[] = [];
	const log = pino({ level: config.logLevel, base: null }, { write: (line) => void logLines.push(line) });
	const stores = options.dataDir === undefined ? await openNewStores(config, log) : await reopenStores(config, log);
	// The store folds and drops old rows by its own clock, which is not that of the tests.
	if (config.clickhouseUrl === undefined && stores.eventTables.isReady)
		await stores.eventStore.command("SYSTEM STOP TTL MERGES bot_hits");
	const eventStore = options.wrapEventStore?.(stores.eventStore) ?? stores.eventStore;
	const { outbound = {}, dashboardDir = join(dataDir, "no-dashboard"), helpDir = join(dataDir, "no-help") } = options;
	const given = { config, clock, log, outbound, dashboardDir, helpDir, checkResponses: true };
	const service = await buildApp({ ...stores, eventStore, ...given }).catch(async (error) => {
		await stores.close();
		throw error;
	});
	if (options.waitsForVisits !== false) await service.collector?.restored;
	let listening: Promise<string> | undefined;
	const close = async () => {
		await service.close();
		await stores.close();
		await schema?.drop();
		if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
	};
	return {
		...stores,
		...service,
		config,
		clock,
		logLines,
		inject: (request) => service.app.inject(request),
		address: () => {
			listening ??= service.app.listen({ host: "127.0.0.1", port: 0 });
			return listening;
		},
		close,
		[Symbol.asyncDispose]: close,
	};
}

const configOf = (dataDir: string, env: Readonly<Record<string, string>>): ReadyConfig =>
	withSecretKey(
		loadConfig({
			NODE_ENV: "test",
			DATA_DIR: dataDir,
			PORT: "0",
			LOG_LEVEL: "debug",
			TRUST_PROXY: "true",
			// The clock stands still, so a minute never ends.
			RATE_LIMIT_ENABLED: "false",
			...env,
		}),
	);

const reopenStores = (config: ReadyConfig, log: Log): Promise<Stores> =>
	openStores(config, log, { isPatient: config.roles.includes("collect") });

async function openNewStores(config: ReadyConfig, log: Log): Promise<Stores> {
	if (config.databaseUrl === undefined) await placeMigratedFile(config.dataDir);
	const isUsual = config.clickhouseUrl === undefined && config.eventStoreMemory === undefined;
	return isUsual ? storesOnSharedEngine(config, log) : reopenStores(config, log);
}
