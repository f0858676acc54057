import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Logger, pino } from "pino";
import { buildApp, type Service } from "../../src/composition/app.ts";
import type { Stores } from "../../src/composition/stores.ts";
import type { Role } from "../../src/platform/config/roles.ts";
import type { ReadyConfig } from "../../src/platform/config/secret-key.ts";
import type { Jobs } from "../../src/platform/jobs/jobs.ts";
import { createGuardedFetch, type GuardedFetchOptions } from "../../src/platform/outbound/guarded-fetch.ts";
import { type Front, openFront } from "./split-front.ts";
import { type SplitStores, splitStores, splitStoresOnSharedEngine } from "./split-stores.ts";
import type { TestApp, TestAppOptions } from "./test-app-types.ts";
import { createTestClock, type TestClock } from "./test-clock.ts";
import { stopFolding, testConfig } from "./test-config.ts";
import { testRedis } from "./test-redis.ts";
import { migratedSchema, schemaOf, type TestSchema } from "./test-schema.ts";

/** A service of one role with its connections. */
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
		const env = {
			...(redis && { REDIS_URL: redis.url }),
			...(schema && { DATABASE_URL: schema.url }),
			...options.env,
		};
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
