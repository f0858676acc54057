import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@redis/client";
import { type Logger, pino } from "pino";
import { metadataMigrations } from "../../migrations/metadata/index.ts";
import { noteChanges } from "../../src/analytics/query/engine/event-revisions.ts";
import { createStoredRevisions } from "../../src/analytics/query/engine/stored-revisions.ts";
import { buildApp, type Service } from "../../src/composition/app.ts";
import { openStores, type Stores } from "../../src/composition/stores.ts";
import type { Role } from "../../src/platform/config/roles.ts";
import type { ReadyConfig } from "../../src/platform/config/secret-key.ts";
import type { EventStore } from "../../src/platform/event-store/event-store.ts";
import type { Jobs } from "../../src/platform/jobs/jobs.ts";
import { systemClock } from "../../src/platform/lib/clock.ts";
import { ready } from "../../src/platform/lib/readiness.ts";
import type { Log } from "../../src/platform/log/log.ts";
import { migrateMetadata } from "../../src/platform/metadata/migrate-metadata.ts";
import { openMetadata } from "../../src/platform/metadata/open-metadata.ts";
import { createGuardedFetch, type GuardedFetchOptions } from "../../src/platform/outbound/guarded-fetch.ts";
import { removeAtTheEnd } from "./remove-at-the-end.ts";
import { type Front, openFront } from "./split-front.ts";
import { lendEventStore } from "./stores-on-shared-engine.ts";
import type { TestApp, TestAppOptions } from "./test-app-types.ts";
import { createTestClock, type TestClock } from "./test-clock.ts";
import { stopFolding, testConfig } from "./test-config.ts";
import { migratedSchema, schemaOf, type TestSchema } from "./test-schema.ts";

interface Part {
	readonly config: ReadyConfig;
	readonly stores: Stores;
	readonly service: Service;
}

/** A wrapper of the event store in a test then applies to the API's. */
const ORDER: readonly Role[] = ["collect", "jobs", "api"];

interface Common {
	readonly options: TestAppOptions;
	readonly dataDir: string;
	readonly env: Readonly<Record<string, string>>;
	readonly clock: TestClock;
	readonly write: (line: string) => void;
	readonly shared: SplitStores;
}

/**
 * A collector, an API and a worker on one directory, one PostgreSQL and one Redis, behind a front. They share no
 * memory, only the stores.
 */
export async function splitApp(options: TestAppOptions): Promise<TestApp> {
	const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), "footfall-test-"));
	const schema = await schemaFor(options);
	const redis = options.env?.REDIS_URL === undefined ? await testRedis(options.dataDir) : undefined;
	const clock = createTestClock(options.now ?? "2026-11-21T12:00:00.000Z");
	const logLines: string[] = [];
	const shared = isUsual(options)
		? await splitStoresOnSharedEngine({ hasTables: schema !== undefined })
		: splitStores(logOf("info", () => undefined));
	const opened = new AsyncDisposableStack();
	opened.defer(async () => {
		await shared.close();
		await schema?.drop();
		await redis?.leave();
		if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
	});
	try {
		const write = (line: string) => void logLines.push(line);
		const env = { ...(redis && { REDIS_URL: redis.url }), ...(schema && { DATABASE_URL: schema.url }), ...options.env };
		const common = { options, dataDir, env, clock, write, shared };
		const parts = {} as Record<Role, Part>;
		for (const role of ORDER) parts[role] = await openPart(role, common, opened);
		const { collect, api, jobs } = parts;
		const front = openFront({ collect: collect.service, api: api.service });
		opened.defer(front.close);
		if (options.waitsForVisits !== false) await collect.service.collector?.restored;
		const close = () => opened.disposeAsync();
		return {
			...api.stores,
			...api.service,
			config: api.config,
			collector: collect.service.collector,
			events: jobs.service.events,
			jobs: takingTurns(parts, front),
			sites: {
				...api.service.sites,
				refresh: async () =>
					void (await Promise.all([collect, api, jobs].map(({ service }) => service.sites.refresh()))),
			},
			clock,
			logLines,
			inject: front.inject,
			address: front.address,
			close,
			[Symbol.asyncDispose]: close,
		};
	} catch (error) {
		await opened.disposeAsync();
		throw error;
	}
}

const logOf = (level: string, write: (line: string) => void): Logger => pino({ level, base: null }, { write });

const isUsual = ({ dataDir, env = {} }: TestAppOptions): boolean =>
	dataDir === undefined && env.CLICKHOUSE_URL === undefined && env.EVENT_STORE_MEMORY === undefined;

async function openPart(role: Role, common: Common, opened: AsyncDisposableStack): Promise<Part> {
	const { options, dataDir, clock, shared } = common;
	const config = testConfig(dataDir, { ...common.env, ROLES: role });
	const log = logOf(config.logLevel, common.write);
	const stores = await shared.open(config);
	opened.defer(stores.close);
	if (role === "collect") await stopFolding(config, stores);
	const eventStore = options.wrapEventStore?.(stores.eventStore) ?? stores.eventStore;
	const { outbound, dashboardDir = join(dataDir, "no-dashboard"), helpDir = join(dataDir, "no-help") } = options;
	const openFetch =
		options.openFetch ?? ((given: GuardedFetchOptions) => createGuardedFetch({ ...given, ...outbound }));
	const given = { config, clock, log, openFetch, dashboardDir, helpDir, checkResponses: true };
	const service = await buildApp({ ...stores, eventStore, ...given });
	opened.defer(service.close);
	return { config, stores, service };
}

/** Where the accounts are, unless the test says that itself. */
const schemaFor = ({ env = {}, dataDir }: TestAppOptions): Promise<TestSchema> | undefined => {
	if (env.DATABASE_URL !== undefined) return undefined;
	return dataDir === undefined ? migratedSchema() : schemaOf(dataDir);
};

/** The worker's queue: due jobs run after it has seen the others' changes, and the others then see its own. */
function takingTurns({ collect, jobs: { service: worker }, api }: Record<Role, Part>, front: Front): Jobs {
	const { jobs } = worker;
	return {
		register: (...given) => jobs.register(...given),
		schedule: (...given) => jobs.schedule(...given),
		schedules: jobs.schedules,
		enqueue: (...given) => jobs.enqueue(...given),
		enqueueAll: (...given) => jobs.enqueueAll(...given),
		withdraw: (...given) => jobs.withdraw(...given),
		start: () => jobs.start(),
		hold: (...given) => jobs.hold(...given),
		close: () => jobs.close(),
		runDue: async () => {
			// One that says nothing for minutes of the clock is waited for and then taken for gone.
			await front.turnOf(collect.service);
			await front.turnOf(worker);
			await jobs.runDue();
			await front.turnOf(api.service);
		},
	};
}

/** Stores of several services: each has its own connections to them. */
interface SplitStores {
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
async function splitStoresOnSharedEngine({ hasTables }: { readonly hasTables: boolean }): Promise<SplitStores> {
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
const splitStores = (log: Log): SplitStores => ({
	close: async () => undefined,
	open: async (config) => {
		const stores = await openStores(config, log, { isPatient: config.roles.includes("collect") });
		return { ...stores, revisions: revisionsOf(stores.eventStore) };
	},
});

/** A database of the tests' Redis that no other service uses. */
interface TestRedis {
	readonly url: string;
	leave(): Promise<unknown>;
}

/** A server has so many; the first one is everybody's, and says who uses which of the others. */
const DATABASES = 16;
/** Longer than a process may be at one file: then another one may have what it used. */
const CLAIMED_S = 600;
const claimOf = (number: number) => `footfall-tests:database:${number}`;
/** The file that names the database of a directory, and so that of its copies. */
const DATABASE_FILE = "redis-of-tests";

const kept = new Set<number>();
removeAtTheEnd({
	keepsOpen: () => [],
	remove: async () => {
		for (const number of kept) await leave(number);
	},
});

/** An empty one; with a directory that a test keeps the one that goes with it, as it was left. */
async function testRedis(dataDir: string | undefined): Promise<TestRedis> {
	const file = dataDir === undefined ? undefined : join(dataDir, DATABASE_FILE);
	if (file !== undefined && existsSync(file)) return { url: readFileSync(file, "utf8"), leave: async () => undefined };
	const number = await claim();
	const url = urlOf(number);
	if (dataDir === undefined || file === undefined) return { url, leave: () => leave(number) };
	mkdirSync(dataDir, { recursive: true });
	writeFileSync(file, url);
	kept.add(number);
	return { url, leave: async () => undefined };
}

async function claim(): Promise<number> {
	for (let number = 1; number < DATABASES; number++) {
		const options = { condition: "NX", expiration: { type: "EX", value: CLAIMED_S } } as const;
		if ((await asking(0, (redis) => redis.set(claimOf(number), process.pid, options))) === null) continue;
		await asking(number, (redis) => redis.flushDb());
		return number;
	}
	throw new Error("Every database of TEST_REDIS_URL is in use by other tests");
}

const leave = (number: number): Promise<unknown> => asking(0, (redis) => redis.del(claimOf(number)));

function urlOf(number: number): string {
	const base = process.env.TEST_REDIS_URL;
	if (base === undefined) throw new Error("TEST_REDIS_URL is not set");
	const url = new URL(base);
	url.pathname = `/${number}`;
	return url.toString();
}

async function asking<T>(number: number, ask: (redis: ReturnType<typeof createClient>) => Promise<T>): Promise<T> {
	const client = createClient({ url: urlOf(number) });
	await client.connect();
	try {
		return await ask(client as ReturnType<typeof createClient>);
	} finally {
		client.destroy();
	}
}
