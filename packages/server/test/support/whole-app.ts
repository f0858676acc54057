import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { InjectOptions, LightMyRequestResponse } from "fastify";
import { type Logger, pino } from "pino";
import { buildApp, type Service } from "../../src/composition/app.ts";
import { openStores, type Stores } from "../../src/composition/stores.ts";
import { loadConfig } from "../../src/platform/config/config.ts";
import { type ReadyConfig, withSecretKey } from "../../src/platform/config/secret-key.ts";
import type { EventStore } from "../../src/platform/event-store/event-store.ts";
import type { Clock } from "../../src/platform/lib/clock.ts";
import {
	createGuardedFetch,
	type GuardedFetch,
	type GuardedFetchOptions,
} from "../../src/platform/outbound/guarded-fetch.ts";
import { type LentEventStore, placeMigratedEvents, storesOnSharedEngine } from "./stores-on-shared-engine.ts";
import { createTestClock, type TestClock } from "./test-clock.ts";
import { migratedSchema, placeMigratedFile } from "./test-schema.ts";

/** The whole service on a directory of its own, with a clock that stands still. */
export interface TestApp extends Omit<Stores, "close">, Service {
	readonly config: ReadyConfig;
	readonly clock: TestClock;
	readonly logLines: string[];
	/** A request without a network; `/event` is not reached this way. */
	readonly inject: (request: InjectOptions) => Promise<LightMyRequestResponse>;
	/** Address of the service on a real port; it listens from the first call on, at this port if one is named. */
	address(port?: number): Promise<string>;
	[Symbol.asyncDispose](): Promise<void>;
}

export interface TestAppOptions {
	/** Environment variables beyond those of a test. */
	readonly env?: Readonly<Record<string, string>>;
	/** Moment at which the clock stands; 2026-11-21T12:00:00.000Z when absent. */
	readonly now?: string;
	/** A directory of the test, to start again on the same data; it is kept. Without it the engine serves one app of the file after the other. */
	readonly dataDir?: string;
	/** Holds the events of the apps that begin one after the other on `dataDir`. Without it each of them starts an engine. */
	readonly events?: LentEventStore;
	/** Puts something between the service and its event store, to see what is asked. */
	readonly wrapEventStore?: (store: EventStore) => EventStore;
	/** How servers that users name are reached, where it differs from the usual. */
	readonly outbound?: Partial<GuardedFetchOptions>;
	/** Opens the way to those servers, for tests that see what is sent. */
	readonly openFetch?: (options: GuardedFetchOptions) => GuardedFetch;
	/** Where a built dashboard lies; without it there is none. */
	readonly dashboardDir?: string;
	/** Where the built help lies; without it there is none. */
	readonly helpDir?: string;
	/** False: resolves before the visits of an earlier run are back. */
	readonly waitsForVisits?: boolean;
	/** Keeps accounts in a new schema of the PostgreSQL that TEST_DATABASE_URL names. */
	readonly onPostgres?: boolean;
}

export async function wholeApp(options: TestAppOptions): Promise<TestApp> {
	const { dataDir, now, isNew } = placeOf(options);
	const schema = options.onPostgres === true ? await migratedSchema() : undefined;
	const config = testConfig(dataDir, { ...(schema && { DATABASE_URL: schema.url }), ...options.env });
	const clock = createTestClock(now);
	const logLines: string[] = [];
	const log = logOf(config.logLevel, (line) => void logLines.push(line));
	const around = { config, clock, log };
	const stores = await storesOf(around, options);
	const service = await buildOn(stores, around, options).catch(async (error) => {
		await stores.close();
		throw error;
	});
	if (options.waitsForVisits !== false) await service.collector?.restored;
	let listening: Promise<string> | undefined;
	const close = async () => {
		await service.close();
		await stores.close();
		await schema?.drop();
		if (isNew) rmSync(dataDir, { recursive: true, force: true });
	};
	const opened: TestApp = {
		...stores,
		...service,
		config,
		clock,
		logLines,
		inject: (request) => service.app.inject(request),
		address: (port = 0) => {
			listening ??= service.app.listen({ host: "127.0.0.1", port });
			return listening;
		},
		close,
		[Symbol.asyncDispose]: close,
	};
	const end = async () => {
		await opened.close();
		letGo(app);
		Object.assign(app, { config, clock, logLines, close: isClosed, [Symbol.asyncDispose]: isClosed });
	};
	const app = { ...opened, close: end, [Symbol.asyncDispose]: end };
	return app;
}

async function isClosed(): Promise<void> {}

/** Empties an object that a test file names: the file stays loaded as long as its process, and all that it names with it. */
export function letGo(held: object): void {
	for (const name of Reflect.ownKeys(held)) Reflect.deleteProperty(held, name);
}

/** Where and when the service of a test is. */
export const placeOf = ({ dataDir, now = "2026-11-21T12:00:00.000Z" }: TestAppOptions) => ({
	dataDir: dataDir ?? mkdtempSync(join(tmpdir(), "footfall-test-")),
	now,
	isNew: dataDir === undefined,
});

/** The settings of a service of the tests on a directory, with what a test asks for beyond them. */
export const testConfig = (dataDir: string, env: Readonly<Record<string, string>>): ReadyConfig =>
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

export const logOf = (level: string, write: (line: string) => void): Logger => pino({ level, base: null }, { write });

interface Around {
	readonly config: ReadyConfig;
	readonly clock: Clock;
	readonly log: Logger;
}

/** Builds the service of a test on its stores. */
export async function buildOn(stores: Stores, around: Around, options: TestAppOptions): Promise<Service> {
	const { dataDir, clickhouseUrl, roles } = around.config;
	// The store folds and drops old rows by its own clock, which is not that of the tests.
	if (clickhouseUrl === undefined && stores.eventTables.isReady && roles.includes("collect"))
		await stores.eventStore.command("SYSTEM STOP TTL MERGES bot_hits");
	const { outbound, dashboardDir = join(dataDir, "no-dashboard"), helpDir = join(dataDir, "no-help") } = options;
	const eventStore = options.wrapEventStore?.(stores.eventStore) ?? stores.eventStore;
	const openFetch =
		options.openFetch ?? ((given: GuardedFetchOptions) => createGuardedFetch({ ...given, ...outbound }));
	return buildApp({ ...stores, ...around, eventStore, openFetch, dashboardDir, helpDir, checkResponses: true });
}

async function storesOf(around: Around, { dataDir, events }: TestAppOptions): Promise<Stores> {
	const { config, clock, log } = around;
	const isUsual = dataDir === undefined && config.clickhouseUrl === undefined && config.eventStoreMemory === undefined;
	const isLent = isUsual || events !== undefined;
	if (["metadata.sqlite", "events"].every((name) => !existsSync(join(config.dataDir, name)))) {
		mkdirSync(config.dataDir, { recursive: true });
		if (config.databaseUrl === undefined) await placeMigratedFile(config.dataDir);
		if (!isLent) placeMigratedEvents(config.dataDir);
	}
	if (isLent) return storesOnSharedEngine(around, events);
	return openStores(config, log, { isPatient: config.roles.includes("collect"), clock });
}
