import assert from "node:assert/strict";
import { test } from "node:test";
import { pino } from "pino";
import { openJobStore } from "../../../../test/support/job-stores.ts";
import { FallbackRateCounter } from "./fallback-rate-counter.ts";
import { MemoryRateCounter } from "./memory-rate-counter.ts";
import { openRateCounters } from "./open-rate-counters.ts";

const MINUTE = 60_000;
const NOON = Date.UTC(2026, 10, 21, 12);

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
	const counter = new FallbackRateCounter(first, new MemoryRateCounter(), (error) => failures.push(error));
	const count = async (at: number) => (await counter.hit("ann", MINUTE, NOON + at)).count;
	assert.equal(await count(0), 1);
	isGone = true;
	assert.deepEqual([await count(1), await count(2), await count(5000)], [1, 2, 3]);
	assert.deepEqual([asked, failures.length], [2, 1]);
	isGone = false;
	assert.deepEqual([await count(5000), await count(5001)], [4, 2]);
});

test("a Redis that cannot be reached keeps no request out, and is logged", async () => {
	const store = await openJobStore("sqlite");
	const { metadata } = await store.process();
	const lines: string[] = [];
	const log = pino({}, { write: (line) => void lines.push(line) });
	// Port 1 is reserved and answers nobody.
	const counters = await openRateCounters({
		metadata,
		redisUrl: "redis://127.0.0.1:1",
		secretKey: "a secret of the tests, 32 characters or more",
		log,
	});
	const hit = () => counters.brief.hit("ann", MINUTE, NOON);
	const counts = [await hit(), await hit(), await counters.lasting.hit("ann", MINUTE, NOON)];
	assert.deepEqual(
		counts.map(({ count }) => count),
		[1, 2, 1],
	);
	assert.equal((await counters.brief.peek("ann", MINUTE, NOON)).count, 2);
	const messages = lines.map((line) => JSON.parse(line).msg);
	// Two counters, each of which finds out by itself.
	assert.deepEqual(messages, Array(2).fill("Redis does not answer: this process counts requests by itself"));
	counters.close();
	await store.close();
});
