import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { after, beforeEach, describe, test } from "node:test";
import { freePort } from "../../../../../test/support/free-port.ts";
import { DAY, ids, MINUTE, NOON, sessionState, TIMEOUT, visit } from "../../../../../test/support/sessions.ts";
import { systemClock } from "../../../../platform/lib/clock.ts";
import { newSessionId, visitorOf } from "../../visitors/index.ts";
import { sightOf } from "./click-id-memory.ts";
import { FallbackSessionStore } from "./fallback-session-store.ts";
import { MemorySessionStore } from "./memory-session-store.ts";
import { RedisSessionStore } from "./redis-session-store.ts";
import type { SessionStore } from "./session-store.ts";

const redisUrl = process.env.TEST_REDIS_URL;
const needsRedis = redisUrl === undefined && "set TEST_REDIS_URL to the address of a Redis server";
const needsServer = redisUrl === undefined && "set TEST_REDIS_URL, and have redis-server in the PATH";

const opened: SessionStore[] = [];
after(() => Promise.all(opened.map((store) => store.close())));

async function open(kind: "memory" | "redis"): Promise<SessionStore> {
	const options = { url: redisUrl ?? "", timeoutMs: TIMEOUT, prefix: `test:${randomUUID()}:`, onError: () => {} };
	const store = kind === "memory" ? new MemorySessionStore(options) : await RedisSessionStore.open(options);
	opened.push(store);
	return store;
}

/** A session as a hit left it so many minutes after noon. */
const at = (minutes: number, session = "1311720") => sessionState(session, NOON + minutes * MINUTE);

for (const kind of ["memory", "redis"] as const) {
	describe(`sessions in ${kind}`, { skip: kind === "redis" && needsRedis }, () => {
		let store: SessionStore;
		beforeEach(async () => {
			store = await open(kind);
		});

		test("a visitor's next hit finds the session as the hit before left it, until thirty minutes later", async () => {
			assert.equal(await visit(store, ids(10), NOON, at(0)), undefined);
			assert.deepEqual(await visit(store, ids(10), NOON + MINUTE, at(1)), at(0));
			assert.equal(await visit(store, ids(11), NOON + MINUTE, at(0)), undefined);
			assert.deepEqual(await visit(store, ids(10), NOON + MINUTE + TIMEOUT - 1, at(1)), at(1));
			assert.equal(await visit(store, ids(11), NOON + TIMEOUT, at(0)), undefined);
			// One that was seen in the future ends all the same when the clock is set back.
			await visit(store, ids(12), NOON + 400 * DAY, sessionState("1", NOON + 400 * DAY));
			assert.equal(await visit(store, ids(12), NOON, at(0)), undefined);
		});

		test("a session that runs over midnight is found under the id of the day before, once", async () => {
			await visit(store, ids(10), NOON, at(0));
			assert.deepEqual(await visit(store, ids(20, 10), NOON + 1, at(0)), at(0));
			assert.deepEqual(await visit(store, ids(20), NOON + 2, at(0)), at(0));
			assert.equal(await visit(store, ids(10), NOON + 3, at(0)), undefined);
		});

		test("of many hits of a visitor at once, each finds what another left", async () => {
			const numbers = Array.from({ length: 20 }, (_, index) => index + 1);
			const step = () =>
				store.transact(ids(10), NOON, (live) => {
					const count = Number(live?.session ?? 0) + 1;
					return { next: at(0, String(count)), result: count };
				});
			const counts = await Promise.all(numbers.map(step));
			const found = counts.sort((a, b) => a - b);
			assert.deepEqual(found, numbers);
		});

		test("of the restored sessions of a visitor the latest goes on, whatever their order, unless a hit left one since", async () => {
			const restore = (visitor: number, ...states: ReturnType<typeof at>[]) =>
				store.restore(states.map((state) => ({ visitor, state })));
			const [older, younger] = [at(0, "1311720"), at(1, "1311721")];
			await restore(10, younger, older);
			await restore(10, older);
			await restore(11, older, younger);
			// These began in one millisecond.
			await restore(12, at(1, "1000"), at(1, "999"));
			await visit(store, ids(13), NOON + MINUTE, at(1));
			await restore(13, at(0));
			const expected = { 10: younger, 11: younger, 12: at(1, "1000"), 13: at(1) };
			for (const [visitor, state] of Object.entries(expected))
				assert.deepEqual(await visit(store, ids(Number(visitor)), NOON + 2 * MINUTE, older), state, visitor);
		});

		test("a step that is undone leaves the session as it was before, unless another hit came since", async () => {
			for (const visitor of [10, 11])
				for (const minutes of [0, 1]) await visit(store, ids(visitor), NOON + minutes * MINUTE, at(minutes));
			await store.putBack(10, at(0), undefined);
			assert.deepEqual(await visit(store, ids(10), NOON + MINUTE, at(1)), at(1));
			await store.putBack(11, at(1), at(0));
			assert.deepEqual(await visit(store, ids(11), NOON + MINUTE, at(0)), at(0));
			await store.putBack(11, at(0), undefined);
			assert.equal(await visit(store, ids(11), NOON + MINUTE, at(0)), undefined);
		});

		test("steps of hits that fail together are all undone, even when a later one came before they were", async () => {
			for (const minutes of [0, 1, 2, 3]) await visit(store, ids(10), NOON + minutes * MINUTE, at(minutes));
			await Promise.all([3, 2, 1].map((minutes) => store.putBack(10, at(minutes), at(minutes - 1))));
			assert.deepEqual(await visit(store, ids(10), NOON + MINUTE, at(0)), at(0));
			// In memory the latest goes first.
			if (kind === "memory") return;
			for (const minutes of [1, 2]) await visit(store, ids(10), NOON + minutes * MINUTE, at(minutes));
			await store.putBack(10, at(1), at(0));
			await store.putBack(10, at(2), at(1));
			assert.deepEqual(await visit(store, ids(10), NOON + MINUTE, at(0)), at(0));
		});

		test("a click id counts as seen on its site until 30 days after its last sight, and one an hour is new", async () => {
			const seen = (now: number, site = "demo") => store.isClickIdSeen(site, "abc", now);
			assert.equal(await seen(NOON), false);
			assert.equal(await store.noteSight(sightOf("demo", "abc", NOON)), true);
			assert.equal(await store.noteSight(sightOf("demo", "abc", NOON + 60 * MINUTE - 1)), false);
			assert.deepEqual([await seen(NOON + 30 * DAY - 1), await seen(NOON + 30 * DAY)], [true, false]);
			assert.equal(await seen(NOON + MINUTE, "other"), false);
			assert.equal(await store.noteSight(sightOf("demo", "abc", NOON + 20 * DAY)), true);
			assert.deepEqual([await seen(NOON + 49 * DAY), await seen(NOON + 50 * DAY)], [true, false]);
		});

		test("a sight that is undone leaves the click id as it was before", async () => {
			const seen = (now: number) => store.isClickIdSeen("demo", "abc", now);
			for (const now of [NOON, NOON + 20 * DAY]) await store.noteSight(sightOf("demo", "abc", now));
			await store.noteSight(sightOf("demo", "abc", NOON + 20 * DAY, true));
			assert.deepEqual([await seen(NOON + 30 * DAY - 1), await seen(NOON + 30 * DAY)], [true, false]);
			await store.noteSight(sightOf("demo", "abc", NOON + MINUTE, true));
			assert.equal(await seen(NOON + MINUTE), true);
			await store.noteSight(sightOf("demo", "abc", NOON, true));
			assert.equal(await seen(NOON + MINUTE), false);
		});

		test("restored click ids count from their own sight on, and what was undone does not count", async () => {
			const sight = (clickId: string, at: number, isUndone = false) => sightOf("demo", clickId, at, isUndone);
			const back = [sight("back", NOON), sight("back", NOON, true)];
			await store.restoreClickIds([sight("gone", NOON - 31 * DAY), sight("old", NOON - 29 * DAY), ...back], NOON);
			const seen = (clickId: string, now = NOON) => store.isClickIdSeen("demo", clickId, now);
			assert.deepEqual([await seen("gone"), await seen("old"), await seen("back")], [false, true, false]);
			assert.equal(await seen("old", NOON + DAY), false);
		});

		test("no two events of a site and kind get the same millisecond, up to two seconds ahead of the clock", async () => {
			const time = (now = NOON, of = "demo conversion") => {
				const [site = "", kind] = of.split(" ");
				return store.uniqueTime(site, kind as "conversion" | "microconversion", now);
			};
			assert.deepEqual([await time(), await time(), await time()], [NOON, NOON + 1, NOON + 2]);
			assert.deepEqual([await time(NOON, "demo microconversion"), await time(NOON, "other conversion")], [NOON, NOON]);
			assert.equal(await time(NOON + 10), NOON + 10);
			const later = NOON + MINUTE;
			const times = [];
			for (let event = 0; event < 2005; event++) times.push(await time(later));
			assert.deepEqual([Math.max(...times), new Set(times).size], [later + 2000, 2001]);
			assert.deepEqual(times.slice(-4), [later, later, later, later]);
			assert.equal(await time(later + 1), later + 2001);
			// A clock that is set back stamps events with its own time, still unique.
			await time(NOON + 400 * DAY, "ahead conversion");
			assert.equal(await time(NOON, "ahead conversion"), NOON);
			assert.equal(await time(NOON, "ahead conversion"), NOON + 1);
		});
	});
}

test("a session id tells its visitor, and two that begin in one second differ", () => {
	const visitor = 2 ** 47 - 1;
	const first = newSessionId(visitor, NOON, undefined);
	const second = newSessionId(visitor, NOON + 999, first);
	assert.deepEqual([visitorOf(first), visitorOf(second)], [visitor, visitor]);
	assert.equal(BigInt(second), BigInt(first) + 1n);
	assert.equal(visitorOf(newSessionId(5, NOON, first)), 5);
	assert.ok(BigInt(first) < 2n ** 64n);
});

/** Each test has a port of its own. */
let port: number;
const servers: ChildProcess[] = [];
after(() => {
	for (const server of servers) server.kill("SIGKILL");
});

/** A server that holds nothing when it starts, to be stopped at will. */
async function startRedis(): Promise<ChildProcess> {
	const options = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
	const server = spawn("redis-server", options, { stdio: ["ignore", "pipe", "ignore"] });
	servers.push(server);
	for await (const chunk of server.stdout) if (String(chunk).includes("Ready to accept")) break;
	return server;
}

async function stopRedis(server: ChildProcess): Promise<void> {
	server.kill("SIGKILL");
	await once(server, "exit");
}

/** A store as a collector has it. `becomes` yields once Redis is left (true) or used again; one slow answer is enough to leave it in between. */
async function openStore(maxBytes?: number) {
	const url = `redis://127.0.0.1:${port}`;
	const changes = new EventEmitter();
	const store: FallbackSessionStore = new FallbackSessionStore({
		clock: systemClock,
		shared: await RedisSessionStore.open({ url, timeoutMs: TIMEOUT, onError: (error) => store.leave(error) }),
		local: new MemorySessionStore({ timeoutMs: TIMEOUT, maxBytes }),
		onChange: () => changes.emit("change"),
	});
	after(() => store.close());
	const becomes = async (isAway: boolean) => {
		while (store.isAway !== isAway) await once(changes, "change");
	};
	return { store, becomes };
}

const visitAt = async (store: FallbackSessionStore, visitor: number, minutes: number) =>
	(await visit(store, ids(visitor), NOON + minutes * MINUTE, at(minutes)))?.lastSeen;
/** What another collector finds in Redis of a visitor. */
const inRedis = async (visitor: number) => visitAt((await openStore()).store, visitor, 2);

describe("Redis that is away", { skip: needsServer, timeout: 60_000 }, () => {
	beforeEach(async () => {
		port = await freePort();
	});

	test("while Redis hangs, visits go on in memory, and Redis has them afterwards", async () => {
		const server = await startRedis();
		const { store, becomes } = await openStore();
		const { store: other } = await openStore();
		await visitAt(store, 10, 0);
		await store.noteSight(sightOf("demo", "before", NOON));
		server.kill("SIGSTOP");
		assert.equal(await visitAt(store, 10, 1), NOON);
		await becomes(true);
		assert.equal(await visitAt(store, 11, 1), undefined);
		assert.equal(await store.isClickIdSeen("demo", "before", NOON + MINUTE), true);
		await store.noteSight(sightOf("demo", "meanwhile", NOON + MINUTE));
		assert.equal(await store.uniqueTime("demo", "conversion", NOON), NOON);
		assert.deepEqual([store.isAway, store.hitsAlone], [true, 2]);
		server.kill("SIGCONT");
		await becomes(false);
		for (const visitor of [10, 11]) assert.equal(await visitAt(other, visitor, 2), NOON + MINUTE);
		assert.equal(await other.isClickIdSeen("demo", "meanwhile", NOON + 2 * MINUTE), true);
		await stopRedis(server);
	});

	test("Redis that comes back empty, without a hit meanwhile, is handed all click ids; one that was slow, only those of meanwhile", async () => {
		const server = await startRedis();
		const { store, becomes } = await openStore();
		await visitAt(store, 10, 0);
		for (let click = 0; click < 1500; click++) await store.noteSight(sightOf("demo", `click-${click}`, NOON));
		await stopRedis(server);
		await becomes(true);
		const again = await startRedis();
		await becomes(false);
		const { store: other } = await openStore();
		for (const click of ["click-0", "click-1499"])
			assert.equal(await other.isClickIdSeen("demo", click, NOON + MINUTE), true, click);

		await other.noteSight(sightOf("demo", "click-0", NOON, true));
		again.kill("SIGSTOP");
		assert.equal(await store.isClickIdSeen("demo", "click-0", NOON + MINUTE), true);
		await becomes(true);
		again.kill("SIGCONT");
		await becomes(false);
		assert.equal(await other.isClickIdSeen("demo", "click-0", NOON + MINUTE), false);
		await stopRedis(again);
	});

	test("when Redis dies and comes back empty, all visits are handed over, those without a hit meanwhile too, and all hits are taken", async () => {
		const server = await startRedis();
		const { store, becomes } = await openStore();
		await visitAt(store, 10, 0);
		await visitAt(store, 12, 0);
		await stopRedis(server);
		assert.equal(await visitAt(store, 10, 1), NOON);
		await becomes(true);
		const again = await startRedis();
		await becomes(false);
		assert.equal(await inRedis(10), NOON + MINUTE);
		assert.equal(await inRedis(12), NOON);
		await stopRedis(again);
	});

	test("sessions and click ids are put back many at a time", async () => {
		const server = await startRedis();
		const { store, becomes } = await openStore();
		const numbers = Array.from({ length: 20_000 }, (_, index) => index);
		await store.restore(numbers.map((visitor) => ({ visitor, state: at(0) })));
		const sights = numbers.map((digest) => ({ digest, at: NOON, isUndone: false }));
		await store.restoreClickIds(sights, NOON);
		// Redis may have been too slow once: the missing states are handed over.
		await becomes(false);
		assert.equal(await inRedis(19_999), NOON);
		await stopRedis(server);
	});

	test("visits that memory has dropped are not noted for Redis, however many come while it is away", async () => {
		const server = await startRedis();
		const { store } = await openStore(100_000);
		await stopRedis(server);
		for (let visitor = 1; visitor <= 5_000; visitor++) await visitAt(store, visitor, 0);
		assert.equal(store.hitsAlone, 5_000);
		assert.ok(store.changed < 1_000, `${store.changed} visits are noted`);
	});
});
