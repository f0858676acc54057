import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, describe, test } from "node:test";
import { DAY, ids, MINUTE, NOON, sessionState as state, TIMEOUT, visit } from "../../../../../test/support/sessions.ts";
import { clickIdDigest } from "./click-id-memory.ts";
import { MemorySessionStore } from "./memory-session-store.ts";
import { RedisSessionStore } from "./redis-session-store.ts";
import { newSessionId, visitorOf } from "./session-state.ts";
import type { SessionStore } from "./session-store.ts";

const redisUrl = process.env.TEST_REDIS_URL;
const needsRedis = redisUrl === undefined && "set TEST_REDIS_URL to the address of a Redis server";

const opened: SessionStore[] = [];
after(() => Promise.all(opened.map((store) => store.close())));

async function open(kind: "memory" | "redis"): Promise<SessionStore> {
	const store =
		kind === "memory"
			? new MemorySessionStore({ timeoutMs: TIMEOUT })
			: await RedisSessionStore.open({
					url: redisUrl ?? "",
					timeoutMs: TIMEOUT,
					prefix: `test:${randomUUID()}:`,
					onError: () => {},
				});
	opened.push(store);
	return store;
}

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
			await store.restore([{ visitor: 10, state: state(session, NOON) }]);
			assert.deepEqual(await visit(store, ids(10), NOON + 1, state("1", NOON)), state(session, NOON));
		});

		test("of the restored sessions of a visitor the one with the latest hit goes on, whatever their order", async () => {
			const store = await open(kind);
			const [older, younger] = [state("1311720", NOON), state("1311721", NOON + 1)];
			await store.restore([younger, older].map((each) => ({ visitor: 10, state: each })));
			await store.restore([older, younger].map((each) => ({ visitor: 11, state: each })));
			await store.restore([{ visitor: 10, state: older }]);
			assert.deepEqual(await visit(store, ids(10), NOON + 2, younger), younger);
			assert.deepEqual(await visit(store, ids(11), NOON + 2, younger), younger);
		});

		test("of two sessions that began in one millisecond the second goes on after a restart", async () => {
			const store = await open(kind);
			const [first, second] = [state("999", NOON), state("1000", NOON)];
			await store.restore([second, first].map((each) => ({ visitor: 10, state: each })));
			assert.deepEqual(await visit(store, ids(10), NOON + 1, second), second);
		});

		test("a restored session does not take the place of one that a hit left since", async () => {
			const store = await open(kind);
			const now = state("1311720", NOON + MINUTE);
			await visit(store, ids(10), NOON + MINUTE, now);
			await store.restore([{ visitor: 10, state: state("1311720", NOON) }]);
			assert.deepEqual(await visit(store, ids(10), NOON + MINUTE, now), now);
		});

		test("a step that is undone leaves the session as it was before", async () => {
			const store = await open(kind);
			const [before, held] = [state("1311720", NOON), state("1311720", NOON + MINUTE)];
			await visit(store, ids(10), NOON, before);
			await visit(store, ids(10), NOON + MINUTE, held);
			await store.putBack(10, held, before);
			assert.deepEqual(await visit(store, ids(10), NOON + MINUTE, before), before);
			await store.putBack(10, before, undefined);
			assert.equal(await visit(store, ids(10), NOON + MINUTE, before), undefined);
		});

		test("a step is not undone when another hit came since", async () => {
			const store = await open(kind);
			const [held, next] = [state("1311720", NOON), state("1311720", NOON + MINUTE)];
			await visit(store, ids(10), NOON, held);
			await visit(store, ids(10), NOON + MINUTE, next);
			await store.putBack(10, held, undefined);
			assert.deepEqual(await visit(store, ids(10), NOON + MINUTE, next), next);
		});

		test("steps of hits that fail together are all undone, even when a later one came before they were", async () => {
			const store = await open(kind);
			const [before, one, two, three] = [0, 1, 2, 3].map((n) => state("1311720", NOON + n * MINUTE));
			assert.ok(before && one && two && three);
			for (const [n, next] of [before, one, two, three].entries()) await visit(store, ids(10), NOON + n * MINUTE, next);
			await Promise.all([store.putBack(10, three, two), store.putBack(10, two, one), store.putBack(10, one, before)]);
			assert.deepEqual(await visit(store, ids(10), NOON + MINUTE, before), before);
		});

		test("a session that was seen in the future ends all the same when the clock is set back", async () => {
			const store = await open(kind);
			await visit(store, ids(10), NOON + 400 * DAY, state("1311720", NOON + 400 * DAY));
			assert.equal(await visit(store, ids(10), NOON, state("1311721", NOON)), undefined);
		});

		test("a click id is remembered for its site", async () => {
			const store = await open(kind);
			assert.equal(await store.isClickIdSeen("demo", "abc", NOON), false);
			await store.rememberClickId("demo", "abc", NOON);
			assert.equal(await store.isClickIdSeen("demo", "abc", NOON + MINUTE), true);
			assert.equal(await store.isClickIdSeen("other", "abc", NOON + MINUTE), false);
		});

		test("a click id counts as seen until 30 days after its last sight", async () => {
			const store = await open(kind);
			await store.rememberClickId("demo", "abc", NOON);
			assert.equal(await store.isClickIdSeen("demo", "abc", NOON + 30 * DAY - 1), true);
			assert.equal(await store.isClickIdSeen("demo", "abc", NOON + 30 * DAY), false);
			assert.equal(await store.rememberClickId("demo", "abc", NOON + 20 * DAY), true);
			assert.equal(await store.isClickIdSeen("demo", "abc", NOON + 49 * DAY), true);
			assert.equal(await store.isClickIdSeen("demo", "abc", NOON + 50 * DAY), false);
		});

		test("a sight within the hour after another says nothing new", async () => {
			const store = await open(kind);
			assert.equal(await store.rememberClickId("demo", "abc", NOON), true);
			assert.equal(await store.rememberClickId("demo", "abc", NOON + 60 * MINUTE - 1), false);
			assert.equal(await store.rememberClickId("demo", "abc", NOON + 60 * MINUTE), true);
		});

		test("a sight that is undone leaves the click id as it was before", async () => {
			const store = await open(kind);
			await store.rememberClickId("demo", "abc", NOON);
			await store.rememberClickId("demo", "abc", NOON + 20 * DAY);
			await store.forgetClickId("demo", "abc", NOON + 20 * DAY);
			assert.equal(await store.isClickIdSeen("demo", "abc", NOON + 30 * DAY - 1), true);
			assert.equal(await store.isClickIdSeen("demo", "abc", NOON + 30 * DAY), false);
			await store.forgetClickId("demo", "abc", NOON + MINUTE);
			assert.equal(await store.isClickIdSeen("demo", "abc", NOON + MINUTE), true);
			await store.forgetClickId("demo", "abc", NOON);
			assert.equal(await store.isClickIdSeen("demo", "abc", NOON + MINUTE), false);
		});

		test("restored click ids count from their own sight on, and what was undone does not count", async () => {
			const store = await open(kind);
			const sight = (clickId: string, at: number, isUndone = false) => ({
				digest: clickIdDigest("demo", clickId),
				at,
				isUndone,
			});
			const old = NOON - 29 * DAY;
			const sights = [
				sight("gone", NOON - 31 * DAY),
				sight("old", old),
				sight("back", NOON),
				sight("back", NOON, true),
			];
			await store.restoreClickIds(sights, NOON);
			const seen = (clickId: string, now: number) => store.isClickIdSeen("demo", clickId, now);
			assert.equal(await seen("gone", NOON), false);
			assert.equal(await seen("old", NOON), true);
			assert.equal(await seen("old", NOON + DAY), false);
			assert.equal(await seen("back", NOON), false);
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

		test("a flood moves times two seconds ahead of the clock and no further", async () => {
			const store = await open(kind);
			const times = [];
			for (let event = 0; event < 2005; event++) times.push(await store.uniqueTime("demo", "conversion", NOON));
			assert.equal(Math.max(...times), NOON + 2000);
			assert.equal(new Set(times).size, 2001);
			assert.deepEqual(times.slice(-4), [NOON, NOON, NOON, NOON]);
			assert.equal(await store.uniqueTime("demo", "conversion", NOON + 1), NOON + 2001);
		});

		test("a clock that is set back stamps events with its own time, still unique", async () => {
			const store = await open(kind);
			await store.uniqueTime("demo", "conversion", NOON + 400 * DAY);
			assert.equal(await store.uniqueTime("demo", "conversion", NOON), NOON);
			assert.equal(await store.uniqueTime("demo", "conversion", NOON), NOON + 1);
		});
	});
}

test("in Redis steps are undone in whatever order their hits fail", { skip: needsRedis }, async () => {
	const store = await open("redis");
	const [before, one, two] = [0, 1, 2].map((n) => state("1311720", NOON + n * MINUTE));
	assert.ok(before && one && two);
	for (const [n, next] of [before, one, two].entries()) await visit(store, ids(10), NOON + n * MINUTE, next);
	await store.putBack(10, one, before);
	await store.putBack(10, two, one);
	assert.deepEqual(await visit(store, ids(10), NOON + MINUTE, before), before);
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
