import type { InjectOptions, LightMyRequestResponse } from "fastify";
import type { Service } from "../../src/composition/app.ts";
import type { Stores } from "../../src/composition/stores.ts";
import type { ReadyConfig } from "../../src/platform/config/secret-key.ts";
import type { EventStore } from "../../src/platform/event-store/event-store.ts";
import type { GuardedFetch, GuardedFetchOptions } from "../../src/platform/outbound/guarded-fetch.ts";
import type { TestClock } from "./test-clock.ts";

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
