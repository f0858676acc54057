import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { newDirectory } from "../../../../test/support/new-directory.ts";
import { testApp } from "../../../../test/support/test-app.ts";
import { createTestClock } from "../../../../test/support/test-clock.ts";
import { migratedSchema, postgresSkip, type TestSchema } from "../../../../test/support/test-schema.ts";
import { silentLog } from "../../../../test/support/test-store.ts";
import { testConfig } from "../../../../test/support/whole-app.ts";
import { openEventStore } from "../../../platform/event-store/open-event-store.ts";
import { systemClock } from "../../../platform/lib/clock.ts";
import { openMetadata } from "../../../platform/metadata/open-metadata.ts";
import { checkClock, joinProcesses } from "./index.ts";

describe("processes on one PostgreSQL", { skip: postgresSkip }, () => {
	const directory = newDirectory();
	let schema: TestSchema;
	let second = 10;
	before(async () => {
		schema = await migratedSchema();
	});
	after(() => schema.drop());

	/** Starts a process, and ends it after the others have come and gone; answers what it warned of. */
	async function start(
		settings: Readonly<Record<string, string>>,
		meanwhile?: () => Promise<unknown>,
		more: { readonly now?: string; readonly dataDir?: string } = {},
	) {
		const now = `2026-11-21T12:00:${second++}.000Z`;
		const env = { DATABASE_URL: schema.url, SECRET_KEY: "the secret of all these processes, long enough", ...settings };
		const app = await testApp({ dataDir: directory, now, ...more, env });
		try {
			await meanwhile?.();
		} finally {
			await app.close();
		}
		return app.logLines.filter((line) => line.includes("not set up as the others are"));
	}
	const api = { ROLES: "api" };
	const collector = { ROLES: "collect" };

	test("one that is set up differently does not start, and is told which setting it is, unless the operator allows it", async () => {
		const others = [
			[
				"MAX_AMOUNT",
				"5",
				/^ConfigError: MAX_AMOUNT is 5 here, and 1000000000 for the process on \S+: give all processes /,
			],
			["SESSION_TIMEOUT_MINUTES", "31", /SESSION_TIMEOUT_MINUTES is 31 here, and 30 for/],
			["DEFAULT_PLAN", "free", /DEFAULT_PLAN is "free" here, and "enterprise" for/],
			["PUBLIC_URL", "https://other.example", /PUBLIC_URL is "https:\/\/other.example" here, and null for/],
			["REDIS_URL", "redis://:hidden@127.0.0.1:9", /REDIS_URL is set here, and not set for/],
		] as const;
		await start(collector, async () => {
			for (const [name, value, message] of others) await assert.rejects(start({ ...api, [name]: value }), message);
			assert.equal((await start({ ...api, MAX_AMOUNT: "5", ALLOW_DIFFERENT_SETTINGS: "true" })).length, 1);
			assert.deepEqual(await start(api), []);
		});
	});

	test("one whose stores are away at its start logs the setting in which it differs, once they are back", async () => {
		const away = Promise.withResolvers<void>();
		const logged = Promise.withResolvers<unknown>();
		await start(collector, async () => {
			const config = testConfig(directory, { DATABASE_URL: schema.url, ...api, MAX_AMOUNT: "5" });
			const metadata = await openMetadata({ dataDir: directory, databaseUrl: schema.url });
			const eventStore = await openEventStore({ dataDir: newDirectory(), log: silentLog });
			const leave = await joinProcesses({
				...{ directoryId: "another", config, metadata, eventStore },
				tables: [{ isReady: false, whenReady: away.promise }],
				clock: createTestClock("2026-11-21T12:00:59.000Z"),
				log: { ...silentLog, error: (fields) => logged.resolve(fields) },
			});
			away.resolve();
			const { reason } = Object(await logged.promise);
			assert.match(reason, /^MAX_AMOUNT is 5 here, and 1000000000 for the process on /);
			await leave();
			await eventStore.close();
			await metadata.destroy();
		});
	});

	test("one that stores events elsewhere does not start", async () => {
		const elsewhere = { dataDir: newDirectory() };
		await start(collector, async () => {
			await assert.rejects(
				start(api, undefined, elsewhere),
				/The events of CLICKHOUSE_URL or DATA_DIR are not those of/,
			);
		});
	});
	test("settings change when every process ends, and one that was lost counts for five minutes", async () => {
		const changed = { ...api, MAX_AMOUNT: "5" };
		const at = (now: string) => start(changed, undefined, { now });
		assert.deepEqual(await start(changed), []);
		const meanwhile = async () => {
			await assert.rejects(at("2026-11-21T12:04:59.999Z"), /MAX_AMOUNT/);
			assert.deepEqual(await at("2026-11-21T12:05:00.000Z"), []);
		};
		await start(collector, meanwhile, { now: "2026-11-21T12:00:00.000Z" });
		assert.deepEqual(await start(changed), []);
	});

	test("a process that is killed and starts again with other settings is not compared with itself", async () => {
		await start(api, async () => {
			assert.deepEqual(await start({ ...api, MAX_AMOUNT: "5" }), []);
		});
	});

	test("a clock more than a minute away from PostgreSQL's is told with its difference", async () => {
		const metadata = await openMetadata({ dataDir: directory, databaseUrl: schema.url });
		const check = (ms: number) => checkClock(metadata, { ...systemClock, now: () => systemClock.now() + ms });
		await check(0);
		await assert.rejects(
			check(3_600_000),
			/^ConfigError: The clock of this machine is 3\d\d\d s ahead of that of DATABASE_URL's/,
		);
		await assert.rejects(check(-90_000), /is \d\d s behind that of/);
		await metadata.destroy();
	});
});
