import assert from "node:assert/strict";
import { availableParallelism } from "node:os";
import { after, before, test } from "node:test";
import { ENDLESS, person } from "../../../../test/support/askers.ts";
import { createVirtualClock } from "../../../../test/support/test-clock.ts";
import { openTestStore, type TestStore } from "../../../../test/support/test-store.ts";
import { type Asker, askedBy } from "../../lib/asker.ts";
import type { EventQuery } from "../event-store.ts";
import { createFairStore } from "./fair-store.ts";

let open: TestStore;
before(async () => {
	open = await openTestStore();
});
after(() => open.remove());

const ask = (asker: Asker | undefined, sql: string) => askedBy(asker, () => open.store.query<{ n: number }>({ sql }));

test("who looks at a screen has half a minute, waiting and running together; a silent store says to come back in thirty seconds", async () => {
	const clock = createVirtualClock("2026-11-21T12:00:00.000Z");
	const limits: unknown[] = [];
	const held: (() => void)[] = [];
	let silentSince: number | undefined;
	const query = ({ settings }: EventQuery) => {
		limits.push(settings?.max_execution_time);
		const { promise, resolve } = Promise.withResolvers<never[]>();
		held.push(() => resolve([]));
		return promise;
	};
	const store = createFairStore(
		{ ...open.store, query, close: async () => {} },
		{ clock, silentSince: () => silentSince },
	);
	const asker = person("key:1");
	const asked = Array.from({ length: 5 }, () => askedBy(asker, () => store.query({ sql: "SELECT 1" })));
	const settled = Promise.allSettled(asked);
	await clock.pass(0);
	assert.deepEqual(limits, [undefined, undefined, undefined]);
	await clock.pass(20_000);
	held[0]?.();
	await asked[0];
	await clock.pass(0);
	assert.deepEqual(limits.slice(3), [10]);
	silentSince = clock.monotonic();
	await clock.pass(6000);
	for (const end of held) end();
	const refused = (await settled).filter((end) => end.status === "rejected").map(({ reason }) => reason);
	assert.deepEqual(
		refused.map(({ code, retryAfter }) => [code, retryAfter]),
		Array(4).fill(["database_unavailable", 30]),
	);
	await store.close();
});

test("beyond sixty waiting questions of one the answer is 503 with a moment to come back", async () => {
	const flooder = person("key:1");
	const flood = Array.from({ length: 64 }, () => ask(flooder, ENDLESS));
	const settled = Promise.allSettled(flood);
	await assert.rejects(Promise.race(flood), { code: "service_unavailable", retryAfter: 5 });
	flooder.leave();
	const refused = (await settled).filter((end) => end.status === "rejected" && end.reason.code !== undefined);
	assert.equal(refused.length, 1);
});

test("questions of one tenant that run side by side have the processors together; another's has all of them", async () => {
	const all = availableParallelism();
	const threads = "SELECT toUInt32(getSetting('max_threads')) AS n, sleep(0.2)";
	const one = person("key:11");
	const asked = [one, one, one, person("key:12")].map((asker) => ask(asker, threads));
	const had = (await Promise.all(asked)).flat().map(({ n }) => n);
	assert.deepEqual(
		had,
		[all, Math.floor(all / 2), Math.floor(all / 3), all].map((n) => Math.max(1, n)),
	);
});
