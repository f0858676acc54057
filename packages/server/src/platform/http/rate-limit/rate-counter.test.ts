import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, test } from "node:test";
import { createClient } from "@redis/client";
import { pino } from "pino";
import type { Tables } from "../../../../migrations/metadata/tables/index.ts";
import { openJobStore } from "../../../../test/support/job-stores.ts";
import { postgresSkip } from "../../../../test/support/test-schema.ts";
import { openRateCounters, withFallback } from "./open-rate-counters.ts";
import { MemoryRateCounter, type RateCounter } from "./rate-counter.ts";
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

async function onRedis(prefix = `test:${randomUUID()}:`) {
	const options = { url: redisUrl ?? "", key: Buffer.alloc(32), prefix, onError: () => {} };
	const counter = await RedisRateCounter.open(options);
	closing.push(() => counter.close());
	return counter;
}

const kinds: Readonly<Record<string, [skip: string | false, open: () => Promise<RateCounter>]>> = {
	memory: [false, async () => new MemoryRateCounter()],
	SQLite: [false, async () => new StoredRateCounter(await metadataOn("sqlite"))],
	PostgreSQL: [postgresSkip, async () => new StoredRateCounter(await metadataOn("postgres"))],
	Redis: [needsRedis, () => onRedis()],
};

for (const [kind, [skip, open]] of Object.entries(kinds)) {
	test(`a window of ${kind} opens with the first request and ends a minute later; looking counts nothing, and no two requests get the same count`, {
		skip,
	}, async () => {
		const counter = await open();
		const step = async (how: "hit" | "peek", bucket: string, at: number) => {
			const { count, endsAt } = await counter[how](bucket, MINUTE, NOON + at);
			return [count, endsAt - NOON];
		};
		assert.deepEqual(await step("peek", "ann", 0), [0, MINUTE]);
		assert.deepEqual(await step("hit", "ann", 0), [1, MINUTE]);
		assert.deepEqual(await step("hit", "bob", 5), [1, MINUTE + 5]);
		assert.deepEqual(await step("hit", "ann", 1), [2, MINUTE]);
		assert.deepEqual(await step("peek", "ann", 7), [2, MINUTE]);
		assert.deepEqual(await step("hit", "ann", MINUTE - 1), [3, MINUTE]);
		assert.deepEqual(await step("peek", "ann", MINUTE), [0, 2 * MINUTE]);
		assert.deepEqual(await step("hit", "ann", MINUTE), [1, 2 * MINUTE]);
		assert.deepEqual(await step("hit", "ann", 5 * MINUTE), [1, 6 * MINUTE]);
		const counts = await Promise.all(Array.from({ length: 20 }, () => counter.hit("cleo", MINUTE, NOON)));
		const inOrder = counts.map(({ count }) => count).sort((a, b) => a - b);
		const expected = Array.from({ length: 20 }, (_, index) => index + 1);
		assert.deepEqual(inOrder, expected);
	});
}

test("Redis forgets a window when it ends", { skip: needsRedis }, async () => {
	const client = await createClient({ url: redisUrl ?? "" }).connect();
	closing.push(() => client.destroy());
	const prefix = `test:${randomUUID()}:`;
	await (await onRedis(prefix)).hit("ann", MINUTE, NOON);
	const [name = ""] = await client.keys(`${prefix}*`);
	const leftMs = await client.pTTL(name);
	assert.ok(leftMs > 0 && leftMs <= MINUTE, String(leftMs));
});

test("ended windows are dropped from the metadata store", async () => {
	const metadata = await metadataOn("sqlite");
	const counter = new StoredRateCounter(metadata);
	await counter.hit("ann", MINUTE, NOON);
	await counter.hit("bob", 120 * MINUTE, NOON);
	await counter.hit("eve", MINUTE, NOON + 61 * MINUTE);
	const limits = metadata.withTables<Tables>().selectFrom("rate_limits");
	const rows = await limits.select("bucket").orderBy("bucket").execute();
	assert.deepEqual(rows, [{ bucket: "bob" }, { bucket: "eve" }]);
});

test("while the first counter fails the second counts, and the first is asked again after five seconds", async () => {
	const shared = new MemoryRateCounter();
	let isGone = false;
	let asked = 0;
	const first = {
		hit: (bucket: string, windowMs: number, nowMs: number) => {
			asked += 1;
			if (isGone) throw new Error("gone");
			return shared.hit(bucket, windowMs, nowMs);
		},
		peek: () => {
			throw new Error("not asked here");
		},
	};
	const failures: unknown[] = [];
	const counter = withFallback(first, new MemoryRateCounter(), (error) => failures.push(error));
	const count = async (at: number) => (await counter.hit("ann", MINUTE, NOON + at)).count;
	assert.equal(await count(0), 1);
	isGone = true;
	assert.deepEqual([await count(1), await count(2), await count(5000)], [1, 2, 3]);
	assert.deepEqual([asked, failures.length], [2, 1]);
	isGone = false;
	assert.deepEqual([await count(5000), await count(5001)], [4, 2]);
});

test("a Redis that cannot be reached keeps no request out, and is logged", async () => {
	const lines: string[] = [];
	const counters = await openRateCounters({
		metadata: await metadataOn("sqlite"),
		// Port 1 is reserved and answers nobody.
		redisUrl: "redis://127.0.0.1:1",
		secretKey: "a secret of the tests, 32 characters or more",
		log: pino({}, { write: (line) => void lines.push(line) }),
	});
	const { brief, lasting } = counters;
	const counts = [await brief.hit("ann", MINUTE, NOON), await brief.hit("ann", MINUTE, NOON)];
	counts.push(await lasting.hit("ann", MINUTE, NOON), await brief.peek("ann", MINUTE, NOON));
	const seen = counts.map(({ count }) => count);
	assert.deepEqual(seen, [1, 2, 1, 2]);
	const messages = lines.map((line) => JSON.parse(line).msg);
	// Two counters, each of which finds out by itself.
	assert.deepEqual(messages, Array(2).fill("Redis does not answer: this process counts requests by itself"));
	counters.close();
});
