import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, describe, test } from "node:test";
import { MemorySessionStore } from "./memory-session-store.ts";
import { RedisSessionStore } from "./redis-session-store.ts";
import { newSessionId, type SessionState, visitorOf } from "./session-state.ts";
import type { SessionStore } from "./session-store.ts";

const MINUTE = 60_000;
const TIMEOUT = 30 * MINUTE;
const NOON = Date.UTC(2026, 4, 20, 12);
const redisUrl = process.env.TEST_REDIS_URL;
const needsRedis = redisUrl === undefined && "set TEST_REDIS_URL to the address of a Redis server";

const opened: SessionStore[] = [];
after(() => Promise.all(opened.map((store) => store.close())));

async function open(kind: "memory" | "redis"): Promise<SessionStore> {
	const store =
		kind === "memory"
			? new MemorySessionStore(TIMEOUT)
			: await RedisSessionStore.open({
					url: redisUrl ?? "",
					timeoutMs: TIMEOUT,
					prefix: `test:${randomUUID()}:`,
					onError: () => {},
				});
	opened.push(store);
	return store;
}

const state = (session: string, lastSeen: number): SessionState => ({
	session,
	dimensions: {
		referrer: "",
		landing_path: "/",
		landing_group: "",
		utm_source: "(direct)",
		utm_medium: "(none)",
		utm_campaign: "",
		utm_term: "",
		utm_content: "",
		country: "ES",
		device: "desktop",
		browser: "Firefox",
		os: "Linux",
		channel: "Direct",
		clid: "",
	},
	entrance: { date: "2026-05-20", hour: 12, ts: lastSeen },
	engaged: false,
	lastSeen,
	entranceFingerprint: 7,
});

const ids = (today: number, yesterday?: number) => ({ today, yesterday: () => yesterday });

/** Reports what the step found and keeps `next`. */
const visit = (store: SessionStore, visitor: ReturnType<typeof ids>, now: number, next: SessionState) =>
	store.transact(visitor, now, (live) => ({ next, result: live }));

for (const kind of ["memory", "redis"] as const) {
	describe(`sessions in ${kind}`, { skip: kind === "redis" && needsRedis }, () => {
		test("a visitor's next hit finds the session as the hit before left it", async () => {
			const store = await open(kind);
			const kept = state("1311720", NOON);
			assert.equal(await visit(store, ids(10), NOON, kept), undefined);
			assert.deepEqual(await visit(store, ids(10), NOON + MINUTE, kept), kept);
			assert.equal(await visit(store, ids(11), NOON + MINUTE, kept), undefined);
		});

		test("a session ends thirty minutes after its last hit", async () => {
			const store = await open(kind);
			const kept = state("1311720", NOON);
			await visit(store, ids(10), NOON, kept);
			await visit(store, ids(12), NOON, kept);
			assert.deepEqual(await visit(store, ids(10), NOON + TIMEOUT - 1, kept), kept);
			assert.equal(await visit(store, ids(12), NOON + TIMEOUT, kept), undefined);
		});

		test("a session that runs over midnight is found under the id of the day before, once", async () => {
			const store = await open(kind);
			const kept = state("1311720", NOON);
			await visit(store, ids(10), NOON, kept);
			assert.deepEqual(await visit(store, ids(20, 10), NOON + 1, kept), kept);
			assert.deepEqual(await visit(store, ids(20), NOON + 2, kept), kept);
			assert.equal(await visit(store, ids(10), NOON + 3, kept), undefined);
		});

		test("of many hits of a visitor at once, each finds what another left", async () => {
			const store = await open(kind);
			const steps = Array.from({ length: 20 }, () =>
				store.transact(ids(10), NOON, (live) => {
					const count = Number(live?.session ?? 0) + 1;
					return { next: state(String(count), NOON), result: count };
				}),
			);
			const counts = await Promise.all(steps);
			assert.deepEqual(
				counts.sort((a, b) => a - b),
				Array.from({ length: 20 }, (_, index) => index + 1),
			);
		});

		test("a restored session is found like any other", async () => {
			const store = await open(kind);
			const session = newSessionId(10, NOON, undefined);
			await store.restore(state(session, NOON));
			assert.deepEqual(await visit(store, ids(10), NOON + 1, state("1", NOON)), state(session, NOON));
		});

		test("a step that is taken back leaves what was before, unless another came after it", async () => {
			const store = await open(kind);
			const [first, second, third] = [NOON, NOON + 1, NOON + 2].map((at) => state("1311720", at));
			assert.ok(first && second && third);
			await visit(store, ids(10), NOON, first);
			await visit(store, ids(10), NOON + 1, second);
			await store.putBack(10, second, first);
			assert.deepEqual(await visit(store, ids(10), NOON + 2, third), first);
			await store.putBack(10, first, undefined);
			await store.putBack(10, third, undefined);
			assert.equal(await visit(store, ids(10), NOON + 3, first), undefined);
		});

		test("a click id is remembered for its site", async () => {
			const store = await open(kind);
			assert.equal(await store.isClickIdSeen("demo", "abc", NOON), false);
			await store.rememberClickId("demo", "abc", NOON);
			assert.equal(await store.isClickIdSeen("demo", "abc", NOON + MINUTE), true);
			assert.equal(await store.isClickIdSeen("other", "abc", NOON + MINUTE), false);
		});

		test("no two events of a site and kind get the same millisecond", async () => {
			const store = await open(kind);
			assert.equal(await store.uniqueTime("demo", "conversion", NOON), NOON);
			assert.equal(await store.uniqueTime("demo", "conversion", NOON), NOON + 1);
			assert.equal(await store.uniqueTime("demo", "conversion", NOON), NOON + 2);
			assert.equal(await store.uniqueTime("demo", "microconversion", NOON), NOON);
			assert.equal(await store.uniqueTime("other", "conversion", NOON), NOON);
			assert.equal(await store.uniqueTime("demo", "conversion", NOON + 10), NOON + 10);
		});
	});
}

test("a click id is forgotten after thirty days", () => {
	const store = new MemorySessionStore(TIMEOUT);
	store.rememberClickId("demo", "abc", NOON);
	assert.equal(store.isClickIdSeen("demo", "abc", NOON + 29 * 1440 * MINUTE), true);
	assert.equal(store.isClickIdSeen("demo", "abc", NOON + 30 * 1440 * MINUTE), false);
});

test("ended sessions do not pile up in memory", () => {
	const store = new MemorySessionStore(TIMEOUT);
	for (let visitor = 0; visitor < 1000; visitor++) {
		store.transact(ids(visitor), NOON, () => ({ next: state("1", NOON), result: undefined }));
	}
	for (let visitor = 1000; visitor < 2000; visitor++) {
		const later = NOON + TIMEOUT;
		store.transact(ids(visitor), later, () => ({ next: state("1", later), result: undefined }));
	}
	assert.equal(store.size, 1000);
});

test("a session id tells its visitor, and two that begin in one second differ", () => {
	const visitor = 2 ** 47 - 1;
	const first = newSessionId(visitor, NOON, undefined);
	const second = newSessionId(visitor, NOON + 999, first);
	assert.equal(visitorOf(first), visitor);
	assert.equal(visitorOf(second), visitor);
	assert.equal(BigInt(second), BigInt(first) + 1n);
	assert.equal(BigInt(first) < 2n ** 64n, true);
});
