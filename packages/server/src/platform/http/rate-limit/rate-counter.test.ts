import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, describe, test } from "node:test";
import type { Tables } from "../../../../migrations/metadata/tables/index.ts";
import { openJobStore } from "../../../../test/support/job-stores.ts";
import { postgresSkip } from "../../../../test/support/test-schema.ts";
import { MemoryRateCounter } from "./memory-rate-counter.ts";
import type { RateCounter } from "./rate-counter.ts";
import { RedisRateCounter } from "./redis-rate-counter.ts";
import { StoredRateCounter } from "./stored-rate-counter.ts";

const MINUTE = 60_000;
const NOON = Date.UTC(2026, 10, 21, 12);
const redisUrl = process.env.TEST_REDIS_URL;
const needsRedis = redisUrl === undefined && "set TEST_REDIS_URL to the address of a Redis server";

const closing: (() => unknown)[] = [];
after(async () => {
	for (const close of closing) await close();
});

async function metadataOn(engine: "sqlite" | "postgres") {
	const store = await openJobStore(engine);
	closing.push(() => store.close());
	return (await store.process()).metadata;
}

const stored = async (engine: "sqlite" | "postgres") => new StoredRateCounter(await metadataOn(engine));

const kinds: Readonly<Record<string, { skip: string | false; open: () => Promise<RateCounter> }>> = {
	memory: { skip: false, open: async () => new MemoryRateCounter() },
	SQLite: { skip: false, open: () => stored("sqlite") },
	PostgreSQL: { skip: postgresSkip, open: () => stored("postgres") },
	Redis: {
		skip: needsRedis,
		open: async () => {
			const url = redisUrl ?? "";
			const counter = await RedisRateCounter.open({
				url,
				key: Buffer.alloc(32),
				prefix: `test:${randomUUID()}:`,
				onError: () => {},
			});
			closing.push(() => counter.close());
			return counter;
		},
	},
};

for (const [kind, { skip, open }] of Object.entries(kinds)) {
	describe(`counts in ${kind}`, { skip }, () => {
		test("a window opens with the first request and ends a minute later, whatever comes in between", async () => {
			const counter = await open();
			const hit = (at: number) => counter.hit("ann", MINUTE, at);
			assert.deepEqual(await hit(NOON), { count: 1, endsAt: NOON + MINUTE });
			assert.deepEqual(await hit(NOON + 1), { count: 2, endsAt: NOON + MINUTE });
			assert.deepEqual(await hit(NOON + MINUTE - 1), { count: 3, endsAt: NOON + MINUTE });
			assert.deepEqual(await hit(NOON + MINUTE), { count: 1, endsAt: NOON + 2 * MINUTE });
			assert.deepEqual(await hit(NOON + 5 * MINUTE), { count: 1, endsAt: NOON + 6 * MINUTE });
		});

		test("buckets do not touch each other", async () => {
			const counter = await open();
			await counter.hit("ann", MINUTE, NOON);
			assert.deepEqual(await counter.hit("bob", MINUTE, NOON + 5), { count: 1, endsAt: NOON + 5 + MINUTE });
		});

		test("looking counts nothing", async () => {
			const counter = await open();
			const look = (at: number) => counter.peek("ann", MINUTE, at);
			assert.deepEqual(await look(NOON), { count: 0, endsAt: NOON + MINUTE });
			await counter.hit("ann", MINUTE, NOON);
			assert.deepEqual(await look(NOON + 7), { count: 1, endsAt: NOON + MINUTE });
			assert.deepEqual(await look(NOON + 7), { count: 1, endsAt: NOON + MINUTE });
			assert.deepEqual(await look(NOON + MINUTE), { count: 0, endsAt: NOON + 2 * MINUTE });
		});

		test("no two requests at once get the same count", async () => {
			const counter = await open();
			const counts = await Promise.all(Array.from({ length: 20 }, () => counter.hit("ann", MINUTE, NOON)));
			assert.deepEqual(
				counts.map(({ count }) => count).sort((a, b) => a - b),
				Array.from({ length: 20 }, (_, index) => index + 1),
			);
		});
	});
}

test("memory is bounded, and a bucket in use is not forgotten for others", () => {
	const counter = new MemoryRateCounter(100);
	for (let stranger = 0; stranger < 1000; stranger++) {
		counter.hit(`stranger ${stranger}`, MINUTE, NOON);
		counter.hit("ann", MINUTE, NOON);
	}
	assert.equal(counter.hit("ann", MINUTE, NOON).count, 1001);
	assert.equal(counter.hit("stranger 0", MINUTE, NOON).count, 1);
});

test("ended windows are dropped from the metadata store", async () => {
	const metadata = await metadataOn("sqlite");
	const counter = new StoredRateCounter(metadata);
	await counter.hit("ann", MINUTE, NOON);
	await counter.hit("bob", 120 * MINUTE, NOON);
	await counter.hit("eve", MINUTE, NOON + 61 * MINUTE);
	const rows = await metadata
		.withTables<Tables>()
		.selectFrom("rate_limits")
		.select("bucket")
		.orderBy("bucket")
		.execute();
	assert.deepEqual(rows, [{ bucket: "bob" }, { bucket: "eve" }]);
});
