import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createClient } from "@redis/client";
import type { InjectOptions, LightMyRequestResponse } from "fastify";
import { metadataMigrations } from "../../migrations/metadata/index.ts";
import { createStoredRevisions } from "../../src/analytics/query/engine/event-revisions.ts";
import type { Service } from "../../src/composition/app.ts";
import { openStores, type Stores } from "../../src/composition/stores.ts";
import type { Role } from "../../src/platform/config/roles.ts";
import type { ReadyConfig } from "../../src/platform/config/secret-key.ts";
import type { EventStore } from "../../src/platform/event-store/event-store.ts";
import type { Jobs } from "../../src/platform/jobs/jobs.ts";
import { systemClock } from "../../src/platform/lib/clock.ts";
import { ready } from "../../src/platform/lib/readiness.ts";
import { migrateMetadata } from "../../src/platform/metadata/migrate-metadata.ts";
import { openMetadata } from "../../src/platform/metadata/open-metadata.ts";
import { removeAtTheEnd } from "./remove-at-the-end.ts";
import { type LentEventStore, lendEventStore, storesOn } from "./stores-on-shared-engine.ts";
import { createTestClock } from "./test-clock.ts";
import { migratedSchema, schemaOf, type TestSchema } from "./test-schema.ts";
import { buildOn, logOf, placeOf, type TestApp, type TestAppOptions, testConfig } from "./whole-app.ts";

interface Part {
	readonly config: ReadyConfig;
	readonly stores: Stores;
	readonly service: Service;
}

/** A wrapper of the event store in a test then applies to the API's. */
const ORDER: readonly Role[] = ["collect", "jobs", "api"];

/**
 * A collector, an API and a worker on one directory, one PostgreSQL and one Redis, behind a front. They share no
 * memory, only the stores.
 */
export async function splitApp(options: TestAppOptions): Promise<TestApp> {
	const { dataDir, now, isNew } = placeOf(options);
	const schema = await schemaFor(options);
	const redis = options.env?.REDIS_URL === undefined ? await testRedis(options.dataDir) : undefined;
	const clock = createTestClock(now);
	const logLines: string[] = [];
	const shared = isUsual(options) ? await splitStoresOnSharedEngine(schema !== undefined, options.events) : splitStores;
	const opened = new AsyncDisposableStack();
	opened.defer(async () => {
		await shared.close();
		await schema?.drop();
		await redis?.leave();
		if (isNew) rmSync(dataDir, { recursive: true, force: true });
	});
	try {
		const env = { ...(redis && { REDIS_URL: redis.url }), ...(schema && { DATABASE_URL: schema.url }), ...options.env };
		const parts = {} as Record<Role, Part>;
		for (const role of ORDER) {
			const config = testConfig(dataDir, { ...env, ROLES: role });
			const stores = await shared.open(config);
			opened.defer(stores.close);
			const log = logOf(config.logLevel, (line) => void logLines.push(line));
			const service = await buildOn(stores, { config, clock, log }, options);
			opened.defer(service.close);
			parts[role] = { config, stores, service };
		}
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
			jobs: inTurns(parts, front),
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

const isUsual = ({ dataDir, events, env = {} }: TestAppOptions): boolean =>
	(dataDir === undefined || events !== undefined) &&
	env.CLICKHOUSE_URL === undefined &&
	env.EVENT_STORE_MEMORY === undefined;

/** Where the accounts are, unless the test says that itself. */
const schemaFor = ({ env = {}, dataDir }: TestAppOptions): Promise<TestSchema> | undefined => {
	if (env.DATABASE_URL !== undefined) return undefined;
	return dataDir === undefined ? migratedSchema() : schemaOf(dataDir);
};

/** The worker's queue: due jobs run after it has seen the others' changes, and the others then see its own. */
function inTurns({ collect, jobs: { service: worker }, api }: Record<Role, Part>, front: Front): Jobs {
	const { jobs } = worker;
	const runDue = jobs.runDue.bind(jobs);
	return Object.assign(jobs, {
		runDue: async () => {
			// One that says nothing for minutes of the clock is waited for and then taken for gone.
			await front.turnOf(collect.service);
			await front.turnOf(worker);
			await runDue();
			await front.turnOf(api.service);
		},
	});
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
async function splitStoresOnSharedEngine(hasTables: boolean, kept?: LentEventStore): Promise<SplitStores> {
	const { store, giveBack } = kept ?? (await lendEventStore());
	return {
		close: kept === undefined ? giveBack : async () => undefined,
		open: async (config) => {
			const metadata = await openMetadata(config);
			if (!hasTables) await migrateMetadata(metadata, metadataMigrations, systemClock.now());
			const accounts = { metadata, settings: metadata, tables: ready };
			return storesOn(store, accounts, revisionsOf(store), () => metadata.destroy());
		},
	};
}

/** On the directory that a test keeps, or the servers that it names: as processes open them. */
const splitStores: SplitStores = {
	close: async () => undefined,
	open: async (config) => {
		const log = logOf("info", () => undefined);
		const stores = await openStores(config, log, { isPatient: config.roles.includes("collect") });
		return { ...stores, revisions: revisionsOf(stores.eventStore) };
	},
};

/** Paths that a load balancer sends to collectors; the rest goes to the API. */
const OF_COLLECTORS: ReadonlySet<string> = new Set(["/event", "/t.js"]);

type Front = ReturnType<typeof openFront>;

/** Gives each request to the service that a load balancer would give it to, on the connection that it came by. */
function openFront({ api, collect }: { readonly collect: Service; readonly api: Service }) {
	const turnOf = takingTurns(api);
	const serviceFor = (url: string) => (OF_COLLECTORS.has(url.split("?", 1)[0] ?? "") ? collect : api);
	let listening: Promise<{ readonly server: Server; readonly address: string }> | undefined;
	const listen = async (port: number) => {
		// A service closes connections whose answer it gives while it does not listen.
		await Promise.all([api, collect].map(({ app }) => app.listen({ host: "127.0.0.1", port: 0 })));
		const server = createServer({ requireHostHeader: false }, (request, response) => void pass(request, response));
		server.on("checkExpectation", pass);
		server.on("clientError", (...told) => void api.app.server.emit("clientError", ...told));
		server.requestTimeout = api.app.server.requestTimeout;
		server.keepAliveTimeout = api.app.server.keepAliveTimeout;
		await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
		return { server, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
	};
	const pass = async (request: IncomingMessage, response: ServerResponse) => {
		const service = serviceFor(request.url ?? "/");
		await turnOf(service);
		if (!request.destroyed) service.app.server.emit("request", request, response);
	};
	return {
		/** Makes it the turn of one: it has the news of those whose turn was before, as after the seconds that they take on a clock. */
		turnOf,
		async inject(request: InjectOptions): Promise<LightMyRequestResponse> {
			const url = request.url ?? request.path ?? "/";
			const service = serviceFor(typeof url === "string" ? url : url.pathname);
			await turnOf(service);
			return service.app.inject(request);
		},
		async address(port = 0): Promise<string> {
			listening ??= listen(port);
			return (await listening).address;
		},
		async close(): Promise<void> {
			const { server } = (await listening) ?? {};
			if (server === undefined) return;
			const closed = new Promise((resolve) => server.close(resolve));
			server.closeIdleConnections();
			// The services complete their answers; remaining connections are dropped.
			await Promise.all([api.close(), collect.close()]);
			server.closeAllConnections();
			await closed;
		},
	};
}

/** Turns are taken one after the other; a service that keeps the turn has no news. */
function takingTurns(first: Service): (service: Service) => Promise<void> {
	let last = first;
	let taken = Promise.resolve();
	return (service) => {
		taken = taken.then(async () => {
			if (service === last) return;
			await last.catchUp();
			await service.catchUp();
			last = service;
		});
		return taken;
	};
}

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
	return new URL(`/${number}`, base).href;
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
