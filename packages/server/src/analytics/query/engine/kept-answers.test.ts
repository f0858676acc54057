import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { pageviewRow } from "../../../../test/support/event-rows.ts";
import { insertRows, openOracleStore } from "../../../../test/support/oracle-app.ts";
import type { EventQuery, EventStore } from "../../../platform/event-store/event-store.ts";
import { type Asker, askedBy } from "../../../platform/lib/asker.ts";
import { createEventRevisions, noteChanges } from "./event-revisions.ts";
import { keepAnswers } from "./kept-answers.ts";

/** The settings of every question that reached the engine. */
let asked: EventQuery[] = [];
let real: EventStore | undefined;
let store: EventStore | undefined;

const revisions = createEventRevisions();

function opened(): EventStore {
	assert.ok(store);
	return store;
}

/** A store that notes what reaches the engine, with room for so many bytes. */
function keeping(maxBytes: number): EventStore {
	assert.ok(real);
	const noted: EventStore = {
		...real,
		query: (query) => {
			asked.push(query);
			return (real as EventStore).query(query);
		},
	};
	return keepAnswers(noteChanges(noted, revisions), { revisions, maxBytes });
}

before(async () => {
	real = await openOracleStore();
});

beforeEach(() => {
	asked = [];
	store = keeping(1_000_000);
});

after(async () => {
	await real?.close();
});

const hits = (site: string) => ({
	sql: "SELECT count() AS hits FROM events WHERE site = {site:String}",
	params: { site },
});
const hit = (site: string) => pageviewRow({ site, ts: Date.parse("2026-11-20T10:00:00Z") });

const asker = (signal: AbortSignal, kind: Asker["kind"] = "interactive"): Asker => ({
	id: "key",
	tenant: "org",
	kind,
	signal,
});

test("a repeated question is answered from memory until rows of its site are stored", async () => {
	await insertRows(opened(), [hit("a"), hit("b"), hit("b")]);
	assert.deepEqual(await opened().query(hits("a")), [{ hits: 1 }]);
	assert.deepEqual(await opened().query(hits("a")), [{ hits: 1 }]);
	assert.equal(asked.length, 1);
	await insertRows(opened(), [hit("b")]);
	assert.deepEqual(await opened().query(hits("a")), [{ hits: 1 }]);
	assert.equal(asked.length, 1);
	await insertRows(opened(), [hit("c"), hit("a")]);
	assert.deepEqual(await opened().query(hits("a")), [{ hits: 2 }]);
	assert.equal(asked.length, 2);
	assert.deepEqual(await opened().query(hits("b")), [{ hits: 3 }]);
});

test("a question about several sites, or none by name, is asked again when any of them has new rows", async () => {
	const several = {
		sql: "SELECT count() AS hits FROM events WHERE site IN {site:Array(String)}",
		params: { site: ["e", "f"] },
	};
	const all = { sql: "SELECT count() > 0 AS some FROM events" };
	for (const question of [several, all]) await opened().query(question);
	await insertRows(opened(), [hit("f")]);
	assert.deepEqual(await opened().query(several), [{ hits: 1 }]);
	assert.deepEqual(await opened().query(all), [{ some: 1 }]);
	assert.equal(asked.length, 4);
});

test("rows that are deleted are in no answer", async () => {
	await insertRows(opened(), [hit("gone")]);
	assert.deepEqual(await opened().query(hits("gone")), [{ hits: 1 }]);
	await opened().command("ALTER TABLE events DELETE WHERE site = 'gone' SETTINGS mutations_sync = 2");
	assert.deepEqual(await opened().query(hits("gone")), [{ hits: 0 }]);
});

test("other values and other settings are other questions", async () => {
	const question = { sql: "SELECT {n:UInt8} AS n", params: { n: 1 } };
	await opened().query(question);
	assert.deepEqual(await opened().query({ ...question, params: { n: 2 } }), [{ n: 2 }]);
	await opened().query({ ...question, settings: { max_threads: 1 } });
	assert.equal(asked.length, 3);
});

test("identical questions at the same time are one run", async () => {
	const answers = await Promise.all(Array.from({ length: 10 }, () => opened().query({ sql: "SELECT 7 AS n" })));
	assert.deepEqual(answers, Array(10).fill([{ n: 7 }]));
	assert.equal(asked.length, 1);
});

test("a failure is told to all who wait and not kept", async () => {
	const question = { sql: "SELECT throwIf(1)" };
	const failures = await Promise.allSettled([opened().query(question), opened().query(question)]);
	assert.deepEqual(
		failures.map(({ status }) => status),
		["rejected", "rejected"],
	);
	assert.equal(asked.length, 1);
	await assert.rejects(opened().query(question));
	assert.equal(asked.length, 2);
});

test("a shared run goes on while one of those who wait is there, and ends with the last", {
	timeout: 20_000,
}, async () => {
	const slow = (n: number) => ({
		sql: `SELECT sum(sleepEachRow(0.1)) AS n, ${n} FROM numbers(${n})`,
		settings: { max_block_size: 1 },
	});
	const [first, second, third] = [new AbortController(), new AbortController(), new AbortController()];
	const gone = new Error("gone");

	const left = askedBy(asker(first.signal), () => opened().query(slow(5)));
	const stayed = askedBy(asker(second.signal), () => opened().query(slow(5)));
	await Promise.resolve();
	first.abort(gone);
	await assert.rejects(left, gone);
	assert.equal((await stayed).length, 1);
	assert.equal(asked.length, 1);

	const last = askedBy(asker(third.signal), () => opened().query(slow(80)));
	await Promise.resolve();
	third.abort(gone);
	await assert.rejects(last, gone);
	assert.equal(asked[1]?.signal?.aborted, true);
	// A new query does not fail because others ended theirs.
	assert.equal((await opened().query(slow(1))).length, 1);
});

test("answers leave when there is no room for them, the longest unused first", async () => {
	const small = keeping(8000);
	const question = (name: string) => ({
		sql: "SELECT {name:String} AS name, repeat('x', 600) AS text",
		params: { name },
	});
	for (const name of ["a", "b", "c"]) await small.query(question(name));
	await small.query(question("a"));
	for (let n = 0; n < 8; n++) await small.query(question(`filler ${n}`));
	asked = [];
	await small.query(question("a"));
	assert.equal(asked.length, 0);
	await small.query(question("b"));
	assert.equal(asked.length, 1);
});

test("an answer that would take much of the room is not kept, nor is one of the background", async () => {
	const large = { sql: "SELECT number FROM numbers(100000)" };
	for (let turn = 0; turn < 2; turn++) await opened().query(large);
	assert.equal(asked.length, 2);
	const { signal } = new AbortController();
	const question = { sql: "SELECT 'background' AS n" };
	for (let turn = 0; turn < 2; turn++) await askedBy(asker(signal, "background"), () => opened().query(question));
	assert.equal(asked.length, 4);
});
