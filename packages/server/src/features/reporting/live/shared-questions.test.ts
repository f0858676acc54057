import assert from "node:assert/strict";
import { once } from "node:events";
import { after, beforeEach, test } from "node:test";
import { pageviewRow } from "../../../../test/support/event-rows.ts";
import { insertRows, openOracleStore } from "../../../../test/support/oracle-app.ts";
import { createVirtualClock } from "../../../../test/support/test-clock.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import { LiveBoard, type LiveChoice } from "./live-board.ts";
import { LiveStreams } from "./live-streams.ts";

const clock = createVirtualClock("2026-11-21T12:00:00.000Z");
const asked: Promise<unknown>[] = [];
/** Answers wait for it. */
let gate: Promise<void> | undefined;
let board: LiveBoard;

const store = await openOracleStore();
after(() => store.close());
beforeEach(() => {
	clock.advance(60_000);
	const query: EventStore["query"] = (question) => {
		const answer = store.query<never>(question).finally(() => gate);
		asked.push(answer);
		return answer;
	};
	board = new LiveBoard({ eventStore: { ...store, query }, clock });
});

const choice = (site = "shop", conditions: LiveChoice["conditions"] = []) => ({
	site,
	organizationId: "o",
	conditions,
});
const spanish = choice("shop", [{ dimension: "country", operator: "in", values: ["ES"] }]);

/** The number of questions since the last call, once they are answered. */
async function questions(): Promise<number> {
	await new Promise(setImmediate);
	const running = asked.splice(0);
	await Promise.allSettled(running);
	await new Promise(setImmediate);
	return running.length;
}

function second(): Promise<number> {
	clock.advance(1000);
	board.tick();
	return questions();
}

/** Watches; `told` are the paths of the hits that it was told. */
async function watch(chosen: LiveChoice = choice()) {
	const told: string[] = [];
	const { leave } = await board.watch(chosen, (_, hits) => void told.push(...hits.told.map(({ path }) => path)));
	return { told, leave };
}

/** Somebody who watches, whose opening question the first tick has found. */
async function watching() {
	const watcher = await watch();
	await second();
	return watcher;
}

const hit = (path: string) => insertRows(store, [pageviewRow({ site: "shop", ts: clock.now(), session: "1", path })]);

test("watchers of a site cause one question a second together, and are told the same", async () => {
	const watchers = await Promise.all([watch(), watch(), watch()]);
	assert.equal(await questions(), 1);
	assert.equal(await second(), 0, "the first tick finds the question that opening asked");
	for (const path of ["/a", "/b", "/c"]) {
		await hit(path);
		assert.equal(await second(), 1);
	}
	for (const { told } of watchers) assert.deepEqual(told, ["/a", "/b", "/c"]);
});

test("nothing is asked for a watcher whose opening question failed", async () => {
	const away = Promise.reject(new Error("away"));
	away.catch(() => undefined);
	gate = away;
	await assert.rejects(watch(), /away/);
	gate = undefined;
	await questions();
	assert.deepEqual([await second(), await second()], [0, 0]);
});

test("figures that are asked for while a site is watched take part in its questions", async () => {
	const { told } = await watching();
	await hit("/d");
	await board.read(choice());
	assert.deepEqual([told, await questions()], [["/d"], 1]);
	assert.equal(await second(), 0);
	await board.read(spanish);
	assert.equal(await questions(), 1);
});

test("other filters are another question, and nobody who watches asks nothing", async () => {
	const watchers = [await watch(spanish), await watch(choice("other")), await watching()];
	assert.equal(await second(), 3);
	for (const { leave } of watchers) leave();
	assert.equal(await second(), 0);
});

test("one timer serves all streams, and none is left when the last one has ended", async () => {
	let timers = 0;
	const every: typeof clock.every = (ms, run) => {
		timers += 1;
		const stop = clock.every(ms, run);
		return () => {
			timers -= 1;
			stop();
		};
	};
	const streams = new LiveStreams(board, { ...clock, every });
	const reader = { caller: { userId: 1, endsAt: null }, checkAgain: async () => ({ endsAt: null }) };
	const bodies = [await streams.open(choice(), reader), await streams.open(spanish, reader)];
	clock.advance(2000);
	assert.deepEqual([timers, await questions()], [1, 4], "two that opened and, a second later, two more");
	for (const body of bodies) await once(body.destroy(), "close");
	assert.equal(timers, 0);
});

test("a watch goes on when the event store was away, and tells what came meanwhile", async () => {
	const { told } = await watching();
	await store.command("RENAME TABLE events TO events_away");
	assert.equal(await second(), 1);
	await store.command("RENAME TABLE events_away TO events");
	await hit("/meanwhile");
	clock.advance(20_000);
	await second();
	assert.deepEqual(told, ["/meanwhile"]);
});

test("hits are told when they are stored, not at the next tick, and it remains one question a second", async () => {
	const { told } = await watching();
	for (const path of ["/first", "/second"]) {
		clock.advance(500);
		await hit(path);
		board.stored(new Set(["shop", "other"]));
		assert.deepEqual([await questions(), told.at(-1)], [1, path]);
		clock.advance(500);
		board.tick();
		assert.equal(await questions(), 0);
	}
	await hit("/third");
	board.stored(new Set(["other"]));
	clock.advance(100);
	// So soon after the last one it waits for the tick.
	board.stored("all");
	assert.equal(await questions(), 0);
	await second();
	assert.equal(told.at(-1), "/third");
});

test("hits that are stored while a question runs are told by the one behind it", async () => {
	const { told } = await watching();
	const { promise, resolve } = Promise.withResolvers<void>();
	gate = promise;
	clock.advance(1000);
	board.stored("all");
	await hit("/during");
	clock.advance(1000);
	board.stored("all");
	assert.equal(asked.length, 1);
	gate = undefined;
	resolve();
	// The first one may be answered before it is counted.
	assert.equal((await questions()) + (await questions()), 2);
	assert.deepEqual(told, ["/during"]);
});
