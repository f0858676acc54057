import assert from "node:assert/strict";
import { test } from "node:test";
import type { Asker } from "../../lib/asker.ts";
import type { Turn } from "./turn.ts";
import { createTurns } from "./turns.ts";

const limits = {
	places: 8,
	ofAskers: 8,
	ofTenant: 6,
	ofAsker: 3,
	ofBusyTenants: 6,
	waiting: 100,
	waitingOfTenant: 80,
	waitingOfAsker: 60,
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

test("who looks at a screen comes before background work, which waits two seconds at most for its rank", () => {
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

test("who has too many questions waiting is refused with a moment to come back, others are not; one that ends frees its place", async () => {
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
