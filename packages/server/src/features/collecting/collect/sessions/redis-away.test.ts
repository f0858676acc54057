import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { after, describe, test } from "node:test";
import { freePort } from "../../../../../test/support/free-port.ts";
import { ids, MINUTE, NOON, sessionState, TIMEOUT, visit } from "../../../../../test/support/sessions.ts";
import { systemClock } from "../../../../platform/lib/clock.ts";
import { FallbackSessionStore } from "./fallback-session-store.ts";
import { MemorySessionStore } from "./memory-session-store.ts";
import { RedisSessionStore } from "./redis-session-store.ts";

const servers: ChildProcess[] = [];
after(() => {
	for (const server of servers) server.kill("SIGKILL");
});

const needsRedis = process.env.TEST_REDIS_URL === undefined && "set TEST_REDIS_URL, and have redis-server in the PATH";

/** A server of its own that holds nothing when it starts, to be stopped at will. */
async function startRedis(port: number): Promise<ChildProcess> {
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

/** A store as a collector has it; `turns` yields each time Redis is left or used again. */
async function openStore(port: number, maxBytes?: number) {
	const shared = await RedisSessionStore.open({
		url: `redis://127.0.0.1:${port}`,
		timeoutMs: TIMEOUT,
		onError: () => {},
	});
	const waiting: ((isAway: boolean) => void)[] = [];
	const store = new FallbackSessionStore({
		clock: systemClock,
		shared,
		local: new MemorySessionStore({ timeoutMs: TIMEOUT, maxBytes }),
		onChange: (isAway) => waiting.shift()?.(isAway),
	});
	after(() => store.close());
	return { store, turn: () => new Promise<boolean>((resolve) => void waiting.push(resolve)) };
}

const state = (lastSeen: number) => sessionState("1311720", lastSeen);

describe("Redis that is away", { skip: needsRedis, timeout: 60_000 }, () => {
	test("while Redis hangs, visits go on in memory, and Redis has them afterwards", async () => {
		const port = await freePort();
		const server = await startRedis(port);
		const { store, turn } = await openStore(port);
		const other = await openStore(port);
		await visit(store, ids(10), NOON, state(NOON));
		await store.rememberClickId("demo", "before", NOON);
		const left = turn();
		server.kill("SIGSTOP");
		assert.deepEqual(await visit(store, ids(10), NOON + MINUTE, state(NOON + MINUTE)), state(NOON));
		assert.equal(await left, true);
		assert.equal(await visit(store, ids(11), NOON + MINUTE, state(NOON + MINUTE)), undefined);
		assert.equal(await store.isClickIdSeen("demo", "before", NOON + MINUTE), true);
		await store.rememberClickId("demo", "meanwhile", NOON + MINUTE);
		assert.equal(await store.uniqueTime("demo", "conversion", NOON), NOON);
		assert.equal(store.isAway, true);
		assert.equal(store.hitsAlone, 2);
		const back = turn();
		server.kill("SIGCONT");
		assert.equal(await back, false);
		assert.equal(store.isAway, false);
		const next = state(NOON + 2 * MINUTE);
		assert.deepEqual(await visit(other.store, ids(10), NOON + 2 * MINUTE, next), state(NOON + MINUTE));
		assert.deepEqual(await visit(other.store, ids(11), NOON + 2 * MINUTE, next), state(NOON + MINUTE));
		assert.equal(await other.store.isClickIdSeen("demo", "meanwhile", NOON + 2 * MINUTE), true);
		await stopRedis(server);
	});

	test("when Redis dies and comes back empty, visits with a hit meanwhile are handed over, and all hits are taken", async () => {
		const port = await freePort();
		const server = await startRedis(port);
		const { store, turn } = await openStore(port);
		await visit(store, ids(10), NOON, state(NOON));
		const left = turn();
		await stopRedis(server);
		const later = state(NOON + MINUTE);
		assert.deepEqual(await visit(store, ids(10), NOON + MINUTE, later), state(NOON));
		assert.equal(await left, true);
		const back = turn();
		const again = await startRedis(port);
		assert.equal(await back, false);
		assert.deepEqual(await visit((await openStore(port)).store, ids(10), NOON + 2 * MINUTE, later), later);
		await stopRedis(again);
	});

	test("a start without Redis takes hits, and hands them over when it comes", async () => {
		const port = await freePort();
		const { store, turn } = await openStore(port);
		await store.restore([{ visitor: 10, state: state(NOON) }]);
		assert.deepEqual(await visit(store, ids(10), NOON + MINUTE, state(NOON + MINUTE)), state(NOON));
		const back = turn();
		const server = await startRedis(port);
		assert.equal(await back, false);
		const { store: other } = await openStore(port);
		assert.deepEqual(await visit(other, ids(10), NOON + 2 * MINUTE, state(NOON)), state(NOON + MINUTE));
		await stopRedis(server);
	});

	test("sessions and click ids are put back many at a time", async () => {
		const port = await freePort();
		const server = await startRedis(port);
		const { store, turn } = await openStore(port);
		const numbers = Array.from({ length: 20_000 }, (_, index) => index);
		await store.restore(numbers.map((visitor) => ({ visitor, state: state(NOON) })));
		await store.restoreClickIds(
			numbers.map((digest) => ({ digest, at: NOON, isUndone: false })),
			NOON,
		);
		// Redis may have been too slow once: the missing states are handed over.
		while (store.isAway) await turn();
		assert.deepEqual(await visit((await openStore(port)).store, ids(19_999), NOON, state(NOON)), state(NOON));
		await stopRedis(server);
	});

	test("visits that memory has dropped are not noted for Redis, however many come while it is away", async () => {
		const port = await freePort();
		const server = await startRedis(port);
		const { store } = await openStore(port, 100_000);
		await stopRedis(server);
		for (let visitor = 1; visitor <= 5_000; visitor++) await visit(store, ids(visitor), NOON, state(NOON));
		assert.equal(store.hitsAlone, 5_000);
		assert.ok(store.changed < 1_000, `${store.changed} visits are noted`);
	});
});
