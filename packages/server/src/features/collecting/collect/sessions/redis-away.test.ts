import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { after, beforeEach, describe, test } from "node:test";
import { freePort } from "../../../../../test/support/free-port.ts";
import { ids, MINUTE, NOON, sessionState, TIMEOUT, visit } from "../../../../../test/support/sessions.ts";
import { systemClock } from "../../../../platform/lib/clock.ts";
import { FallbackSessionStore } from "./fallback-session-store.ts";
import { MemorySessionStore } from "./memory-session-store.ts";
import { RedisSessionStore } from "./redis-session-store.ts";

const needsRedis = process.env.TEST_REDIS_URL === undefined && "set TEST_REDIS_URL, and have redis-server in the PATH";

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

/** A store as a collector has it; `turn` yields when Redis is left or used the next time. */
async function openStore(maxBytes?: number) {
	const url = `redis://127.0.0.1:${port}`;
	const waiting: ((isAway: boolean) => void)[] = [];
	const store = new FallbackSessionStore({
		clock: systemClock,
		shared: await RedisSessionStore.open({ url, timeoutMs: TIMEOUT, onError: () => {} }),
		local: new MemorySessionStore({ timeoutMs: TIMEOUT, maxBytes }),
		onChange: (isAway) => waiting.shift()?.(isAway),
	});
	after(() => store.close());
	return { store, turn: () => new Promise<boolean>((resolve) => void waiting.push(resolve)) };
}

const state = (minutes: number) => sessionState("1311720", NOON + minutes * MINUTE);
const visitAt = async (store: FallbackSessionStore, visitor: number, minutes: number) =>
	(await visit(store, ids(visitor), NOON + minutes * MINUTE, state(minutes)))?.lastSeen;
/** What another collector finds in Redis of a visitor. */
const inRedis = async (visitor: number) => visitAt((await openStore()).store, visitor, 2);

describe("Redis that is away", { skip: needsRedis, timeout: 60_000 }, () => {
	beforeEach(async () => {
		port = await freePort();
	});

	test("while Redis hangs, visits go on in memory, and Redis has them afterwards", async () => {
		const server = await startRedis();
		const { store, turn } = await openStore();
		const { store: other } = await openStore();
		await visitAt(store, 10, 0);
		await store.rememberClickId("demo", "before", NOON);
		const left = turn();
		server.kill("SIGSTOP");
		assert.equal(await visitAt(store, 10, 1), NOON);
		assert.equal(await left, true);
		assert.equal(await visitAt(store, 11, 1), undefined);
		assert.equal(await store.isClickIdSeen("demo", "before", NOON + MINUTE), true);
		await store.rememberClickId("demo", "meanwhile", NOON + MINUTE);
		assert.equal(await store.uniqueTime("demo", "conversion", NOON), NOON);
		assert.deepEqual([store.isAway, store.hitsAlone], [true, 2]);
		const back = turn();
		server.kill("SIGCONT");
		assert.equal(await back, false);
		assert.equal(store.isAway, false);
		for (const visitor of [10, 11]) assert.equal(await visitAt(other, visitor, 2), NOON + MINUTE);
		assert.equal(await other.isClickIdSeen("demo", "meanwhile", NOON + 2 * MINUTE), true);
		await stopRedis(server);
	});

	test("when Redis dies and comes back empty, visits with a hit meanwhile are handed over, and all hits are taken", async () => {
		const server = await startRedis();
		const { store, turn } = await openStore();
		await visitAt(store, 10, 0);
		const left = turn();
		await stopRedis(server);
		assert.equal(await visitAt(store, 10, 1), NOON);
		assert.equal(await left, true);
		const back = turn();
		const again = await startRedis();
		assert.equal(await back, false);
		assert.equal(await inRedis(10), NOON + MINUTE);
		await stopRedis(again);
	});

	test("sessions and click ids are put back many at a time", async () => {
		const server = await startRedis();
		const { store, turn } = await openStore();
		const numbers = Array.from({ length: 20_000 }, (_, index) => index);
		await store.restore(numbers.map((visitor) => ({ visitor, state: state(0) })));
		const sights = numbers.map((digest) => ({ digest, at: NOON, isUndone: false }));
		await store.restoreClickIds(sights, NOON);
		// Redis may have been too slow once: the missing states are handed over.
		while (store.isAway) await turn();
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
