import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { buildApp } from "../../src/composition/app.ts";
import { openStores, type Stores } from "../../src/composition/stores.ts";
import type { ReadyConfig } from "../../src/platform/config/secret-key.ts";
import type { Clock } from "../../src/platform/lib/clock.ts";
import type { Log } from "../../src/platform/log/log.ts";
import { createGuardedFetch, type GuardedFetchOptions } from "../../src/platform/outbound/guarded-fetch.ts";
import { placeMigratedFile } from "./migrated-file.ts";
import { storesOnSharedEngine } from "./stores-on-shared-engine.ts";
import type { TestApp, TestAppOptions } from "./test-app-types.ts";
import { createTestClock } from "./test-clock.ts";
import { stopFolding, testConfig } from "./test-config.ts";
import { migratedSchema } from "./test-schema.ts";

export async function wholeApp(options: TestAppOptions): Promise<TestApp> {
	const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), "footfall-test-"));
	const schema = options.onPostgres === true ? await migratedSchema() : undefined;
	const config = testConfig(dataDir, { ...(schema && { DATABASE_URL: schema.url }), ...options.env });
	const clock = createTestClock(options.now ?? "2026-11-21T12:00:00.000Z");
	const logLines: string[] = [];
	const log = pino({ level: config.logLevel, base: null }, { write: (line) => void logLines.push(line) });
	const around = { config, clock, log };
	const stores = options.dataDir === undefined ? await openNewStores(around) : await reopenStores(around);
	await stopFolding(config, stores);
	const eventStore = options.wrapEventStore?.(stores.eventStore) ?? stores.eventStore;
	const { outbound, dashboardDir = join(dataDir, "no-dashboard"), helpDir = join(dataDir, "no-help") } = options;
	const openFetch =
		options.openFetch ?? ((given: GuardedFetchOptions) => createGuardedFetch({ ...given, ...outbound }));
	const given = { ...around, openFetch, dashboardDir, helpDir, checkResponses: true };
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
		address: (port = 0) => {
			listening ??= service.app.listen({ host: "127.0.0.1", port });
			return listening;
		},
		close,
		[Symbol.asyncDispose]: close,
	};
}

interface Around {
	readonly config: ReadyConfig;
	readonly clock: Clock;
	readonly log: Log;
}

const reopenStores = ({ config, clock, log }: Around): Promise<Stores> =>
	openStores(config, log, { isPatient: config.roles.includes("collect"), clock });

async function openNewStores(around: Around): Promise<Stores> {
	const { config } = around;
	if (config.databaseUrl === undefined) await placeMigratedFile(config.dataDir);
	const isUsual = config.clickhouseUrl === undefined && config.eventStoreMemory === undefined;
	return isUsual ? storesOnSharedEngine(around) : reopenStores(around);
}
