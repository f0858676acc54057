import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { availableParallelism } from "node:os";
import { after, test } from "node:test";
import { ENDLESS, person } from "../../../../test/support/askers.ts";
import { openOracleStore } from "../../../../test/support/oracle-app.ts";
import { createVirtualClock } from "../../../../test/support/test-clock.ts";
import { type Asker, askedBy } from "../../lib/asker.ts";
import type { EventQuery } from "../event-store.ts";
import { createFairStore } from "./fair-store.ts";
import { createTurns, type Turn } from "./turns.ts";

const limits = {
	...{ places: 8, ofAskers: 8, ofTenant: 6, ofAsker: 3, ofBusyTenants: 6 },
	...{ waiting: 100, waitingOfTenant: 80, waitingOfAsker: 60 },
};

const asker = (id: string, tenant = id, kind: Asker["kind"] = "interactive"): Asker => ({
	id,
	tenant,
	kind,
	signal: new AbortController().signal,
});
const job = asker("job", "jobs", "background");

/** Places under a clock that is told the time; `running` names who has them, in the order of their coming. */
function places(changed: Partial<typeof limits> = {}) {
	let now = 0;
	const turns = createTurns({ ...limits, ...changed }, { monotonic: () => now });
	const all = new Map<string, Turn>();
	const ask = (name: string, who?: Asker) => {
		const { turn, begun } = turns.enter(who);
		begun.catch(() => undefined);
		all.set(name, turn);
		return begun;
	};
	return {
		ask,
		/** Questions `name1` to `nameN`. */
		askMany: (name: string, who: Asker | undefined, count: number) => {
			for (let at = 1; at <= count; at++) ask(`${name}${at}`, who);
		},
		pass: (ms: number) => {
			now += ms;
		},
		leave: (...names: string[]) => {
			for (const name of names) {
				const turn = all.get(name);
				assert.ok(turn?.startedAt !== undefined, `${name} does not run`);
				turns.leave(turn);
				all.delete(name);
			}
		},
		end: (name: string, reason: Error) => all.get(name)?.end.abort(reason),
		running: () => [...all].filter(([, turn]) => turn.startedAt !== undefined).map(([name]) => name),
	};
}

test("one asker has three places, a tenant six, askers all but the last, and others come in at once", () => {
	const at = places({ ofAskers: 7 });
	at.askMany("a", asker("ann", "shop"), 5);
	assert.deepEqual(at.running(), ["a1", "a2", "a3"]);
	at.askMany("b", asker("bob", "shop"), 5);
	at.askMany("c", asker("cleo", "shop"), 2);
	assert.deepEqual(at.running(), ["a1", "a2", "a3", "b1", "b2", "b3"]);
	at.askMany("z", asker("zoe"), 2);
	assert.deepEqual(at.running().slice(6), ["z1"]);
	at.leave("a2");
	assert.equal(at.running().filter((name) => name !== "z1").length, 6);
	at.askMany("own", undefined, 2);
	assert.deepEqual(at.running().slice(7), ["own1"], "the last place is that of the service's own work");
	const idle = places();
	idle.askMany("own", undefined, 10);
	assert.equal(idle.running().length, 8, "which may take every place that is free");
});

test("the free place goes to the tenant that had least of the engine lately, then to who came first; likewise within a tenant", () => {
	const at = places({ places: 1 });
	at.ask("heavy", asker("ann", "shop"));
	at.askMany("a", asker("ann", "shop"), 2);
	at.ask("d", asker("dan", "shop"));
	at.ask("b", asker("bob"));
	at.ask("c", asker("cleo"));
	at.pass(800);
	const next = (name: string) => {
		at.leave(at.running()[0] ?? "");
		assert.deepEqual(at.running(), [name]);
	};
	next("b");
	at.pass(10);
	next("c");
	at.ask("b2", asker("bob"));
	next("b2");
	next("d");
	next("a1");
});

test("engine time is forgiven: after a while the tenant that came first is served first again", () => {
	const at = places({ places: 1 });
	at.ask("heavy", asker("ann"));
	at.pass(30_000);
	at.leave("heavy");
	at.ask("lately", asker("bob"));
	at.pass(60);
	at.leave("lately");
	at.pass(300_000);
	at.ask("other", asker("cleo"));
	at.ask("a", asker("ann"));
	at.ask("b", asker("bob"));
	at.leave("other");
	assert.deepEqual(at.running(), ["b"], "a little less of it is left");
	at.pass(600_000);
	at.leave("b");
	assert.deepEqual(at.running(), ["a"]);
});

test("tenants that keep the engine busy leave places to the others", () => {
	const at = places();
	for (const name of ["ann", "bob", "cleo"]) at.askMany(name, asker(name), 9);
	assert.equal(at.running().length, 8);
	at.pass(1500);
	at.leave("ann1", "ann2", "bob1");
	assert.equal(at.running().length, 6, "one of the three places is taken up again, two stay free");
	at.ask("z1", asker("zoe"));
	at.ask("y1", asker("yves"));
	assert.deepEqual(at.running().slice(-2), ["z1", "y1"]);
});

test("a question of a screen comes before background work, which waits two seconds at most for its rank", () => {
	const at = places({ places: 1 });
	at.ask("first", asker("ann"));
	at.ask("job", job);
	at.ask("own");
	at.ask("b", asker("bob"));
	at.leave("first");
	assert.deepEqual(at.running(), ["b"]);
	at.ask("a", asker("ann"));
	at.pass(2000);
	at.leave("b");
	assert.deepEqual(at.running(), ["job"]);
	at.leave("job");
	assert.deepEqual(at.running(), ["own"]);
});

test("a user with too many waiting questions is refused with a moment to come back, others are not; one that ends frees its place", async () => {
	const at = places({ waitingOfAsker: 2, waiting: 4 });
	at.askMany("a", asker("ann"), 4);
	const waits = at.ask("a5", asker("ann"));
	const refused = { code: "service_unavailable", retryAfter: 5 };
	assert.throws(() => at.ask("a6", asker("ann")), refused);
	at.end("a5", new Error("gone"));
	await assert.rejects(waits, /gone/);
	at.ask("a7", asker("ann"));
	at.askMany("b", asker("bob"), 5);
	assert.throws(() => at.ask("b6", asker("bob")), refused);
	at.ask("z1", asker("zoe"));
	assert.equal(at.running().at(-1), "z1", "a full queue keeps nobody from a free place");
	at.askMany("job", job, 99);
	at.leave("a1", "a2", "a3");
	assert.ok(at.running().includes("a7") && !at.running().includes("a5"));
});

const real = await openOracleStore();
after(() => real.close());

const askStore = (asker: Asker | undefined, sql: string) => askedBy(asker, () => real.query<{ n: number }>({ sql }));

test("a question of a screen has half a minute, waiting and running together; a silent store says to come back in thirty seconds", async () => {
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
	const store = createFairStore({ ...real, query, close: async () => {} }, { clock, silentSince: () => silentSince });
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
	assert.equal(refused.length, 4);
	for (const { code, retryAfter } of refused) assert.deepEqual([code, retryAfter], ["database_unavailable", 30]);
	await store.close();
});

test("beyond sixty waiting questions of one the answer is 503 with a moment to come back", async () => {
	const flooder = person("key:1");
	const flood = Array.from({ length: 64 }, () => askStore(flooder, ENDLESS));
	const settled = Promise.allSettled(flood);
	await assert.rejects(Promise.race(flood), { code: "service_unavailable", retryAfter: 5 });
	flooder.leave();
	const refused = (await settled).filter((end) => end.status === "rejected" && end.reason.code !== undefined);
	assert.equal(refused.length, 1);
});

test("a question that has its answer leaves nothing that listens for the end of who asked", async () => {
	const asker = person("key:1");
	const own = new AbortController();
	const { signal } = own;
	await askedBy(asker, () => real.query({ sql: "SELECT 1", signal }));
	await askedBy(asker, () => Array.fromAsync(real.stream({ sql: "SELECT 1", signal })));
	for (const left of [signal, asker.signal]) assert.equal(getEventListeners(left, "abort").length, 0);
});

test("questions of one tenant that run side by side have the processors together; another's has all of them", async () => {
	const all = availableParallelism();
	const threads = "SELECT toUInt32(getSetting('max_threads')) AS n, sleep(0.2)";
	const one = person("key:11");
	const asked = [one, one, one, person("key:12")].map((asker) => askStore(asker, threads));
	const had = (await Promise.all(asked)).flat().map(({ n }) => n);
	const share = (besides: number) => Math.max(1, Math.floor(all / besides));
	assert.deepEqual(had, [all, share(2), share(3), all]);
});
