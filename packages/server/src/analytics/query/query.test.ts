import assert from "node:assert/strict";
import { join } from "node:path";
import { after, beforeEach, test } from "node:test";
import { pageviewRow } from "../../../test/support/event-rows.ts";
import { newDirectory } from "../../../test/support/new-directory.ts";
import { insertRows, openOracleStore } from "../../../test/support/oracle-app.ts";
import { openTestStore } from "../../../test/support/test-store.ts";
import type { EventQuery, EventStore } from "../../platform/event-store/event-store.ts";
import { writeAtomic } from "../../platform/files/write-atomic.ts";
import { type Asker, askedBy } from "../../platform/lib/asker.ts";
import type { EventRow } from "../model/event-row.ts";
import { createEventRevisions, createStoredRevisions, noteChanges } from "./engine/event-revisions.ts";
import { keepAnswers } from "./engine/kept-answers.ts";
import { runLargest } from "./engine/run.ts";
import { fileContent } from "./files/file-query.ts";
import { siteEvents } from "./files/site-events.ts";
import { siteActivity } from "./reports/site-days.ts";

/** Every question that reached the engine. */
let asked: EventQuery[] = [];
let store: EventStore;

const revisions = createEventRevisions();

/** A store that notes what reaches the engine, with room for so many bytes. */
function keeping(maxBytes: number): EventStore {
	const query: EventStore["query"] = (question) => {
		asked.push(question);
		return real.query(question);
	};
	return keepAnswers(noteChanges({ ...real, query }, revisions), { revisions, maxBytes });
}

const real = await openOracleStore();
beforeEach(() => {
	asked = [];
	store = keeping(1_000_000);
});
after(() => real.close());

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
	await insertRows(store, [hit("a"), hit("b"), hit("b")]);
	assert.deepEqual(await store.query(hits("a")), [{ hits: 1 }]);
	await insertRows(store, [hit("b")]);
	assert.deepEqual(await store.query(hits("a")), [{ hits: 1 }]);
	assert.equal(asked.length, 1);
	await insertRows(store, [hit("c"), hit("a")]);
	assert.deepEqual(await store.query(hits("a")), [{ hits: 2 }]);
	assert.equal(asked.length, 2);
	assert.deepEqual(await store.query(hits("b")), [{ hits: 3 }]);
});

test("a question about several sites, or none by name, is asked again when any of them has new rows", async () => {
	const sql = "SELECT count() AS hits FROM events WHERE site IN {site:Array(String)}";
	const several = { sql, params: { site: ["e", "f"] } };
	const all = { sql: "SELECT count() > 0 AS some FROM events" };
	for (const question of [several, all]) await store.query(question);
	await insertRows(store, [hit("f")]);
	assert.deepEqual(await store.query(several), [{ hits: 1 }]);
	assert.deepEqual(await store.query(all), [{ some: 1 }]);
	assert.equal(asked.length, 4);
});

test("rows that are deleted are in no answer; other values and other settings are other questions", async () => {
	await insertRows(store, [hit("gone")]);
	assert.deepEqual(await store.query(hits("gone")), [{ hits: 1 }]);
	await store.command("ALTER TABLE events DELETE WHERE site = 'gone' SETTINGS mutations_sync = 2");
	assert.deepEqual(await store.query(hits("gone")), [{ hits: 0 }]);
	await store.query(hits("elsewhere"));
	await store.query({ ...hits("elsewhere"), settings: { max_threads: 1 } });
	assert.equal(asked.length, 4);
});

test("a failure is told to all who wait and not kept", async () => {
	const question = { sql: "SELECT throwIf(1)" };
	const failures = [store.query(question), store.query(question)].map((answer) => assert.rejects(answer));
	await Promise.all(failures);
	assert.equal(asked.length, 1);
	await assert.rejects(store.query(question));
	assert.equal(asked.length, 2);
});

test("a shared run goes on while one of those who wait is there, and ends with the last", async () => {
	const slow = (n: number) => ({
		sql: `SELECT sum(sleepEachRow(0.1)) AS n, ${n} FROM numbers(${n})`,
		settings: { max_block_size: 1 },
	});
	const [first, second, third] = [new AbortController(), new AbortController(), new AbortController()];
	const gone = new Error("gone");

	const left = askedBy(asker(first.signal), () => store.query(slow(5)));
	const stayed = askedBy(asker(second.signal), () => store.query(slow(5)));
	await Promise.resolve();
	first.abort(gone);
	await assert.rejects(left, gone);
	assert.equal((await stayed).length, 1);
	assert.equal(asked.length, 1);

	const last = askedBy(asker(third.signal), () => store.query(slow(80)));
	await Promise.resolve();
	third.abort(gone);
	await assert.rejects(last, gone);
	assert.equal(asked[1]?.signal?.aborted, true);
	// A new query does not fail because others ended theirs.
	assert.equal((await store.query(slow(1))).length, 1);
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
	for (let turn = 0; turn < 2; turn++) await store.query(large);
	assert.equal(asked.length, 2);
	const background = asker(new AbortController().signal, "background");
	for (let turn = 0; turn < 2; turn++)
		await askedBy(background, () => store.query({ sql: "SELECT 'background' AS n" }));
	assert.equal(asked.length, 4);
});

test("rows that another process stored or deleted change the stored revision, and a merge does not", async (t) => {
	const eventStore = await openOracleStore();
	t.after(() => eventStore.close());
	let now = 0;
	// A second later whenever it is looked at.
	const later = createStoredRevisions({ eventStore, clock: { monotonic: () => (now += 1000) } });
	// What this process stored is known at once, the rest is read once in a while.
	const still = createStoredRevisions({ eventStore, clock: { monotonic: () => 0 } });
	const [empty, first] = [await later.of(["shop"]), await still.of(["shop"])];
	assert.ok(empty);
	await insertRows(eventStore, [hit("shop")]);
	const stored = await later.of(["shop"]);
	assert.notEqual(stored, empty);
	assert.equal(await still.of(["shop"]), first);
	still.bump(new Set(["shop"]));
	assert.notEqual(await still.of(["shop"]), first);
	await insertRows(eventStore, [hit("shop")]);
	const again = await later.of(["shop"]);
	assert.notEqual(again, stored);
	await eventStore.command("OPTIMIZE TABLE events FINAL");
	assert.equal(await later.of(["shop"]), again);
	await eventStore.command("ALTER TABLE events DELETE WHERE site = 'nobody' SETTINGS mutations_sync = 2");
	assert.notEqual(await later.of(["shop"]), again);
});

test("a store that does not show its parts has no revisions", async () => {
	const { store: eventStore, remove } = await openTestStore();
	await remove();
	assert.equal(await createStoredRevisions({ eventStore, clock: { monotonic: () => 0 } }).of(["shop"]), undefined);
});

const row = (time: string, own: Partial<EventRow> = {}) =>
	pageviewRow({ site: "active", ts: Date.parse(time), ...own });

test("a site's activity is its first hit, its last hit and the hits of 14 days, imports left out", async () => {
	const deps = { eventStore: real, clock: { now: () => Date.parse("2026-11-21T12:00:00.000Z") } };
	assert.deepEqual(await siteActivity(deps, "active"), { firstHitAt: null, lastHitAt: null, recentHits: 0 });
	await insertRows(real, [
		row("2020-01-01T00:00:00.000Z", { import_id: "import" }),
		row("2026-09-30T23:59:59.123Z"),
		row("2026-11-07T11:59:59.999Z", { kind: "conversion" }),
		row("2026-11-07T12:00:00.000Z", { kind: "microconversion" }),
		row("2026-11-21T11:00:00.000Z"),
		row("2026-11-21T11:00:00.001Z", { kind: "conversion" }),
		row("2026-11-21T11:30:00.000Z", { kind: "engaged" }),
		row("2026-11-21T11:30:00.001Z", { kind: "item" }),
		row("2026-11-21T11:59:00.000Z", { site: "other" }),
	]);
	assert.deepEqual(await siteActivity(deps, "active"), {
		firstHitAt: Date.parse("2026-09-30T23:59:59.123Z"),
		lastHitAt: Date.parse("2026-11-21T11:00:00.001Z"),
		recentHits: 3,
	});
});

const day = Temporal.PlainDate.from("2026-11-19");
const content = (format: "csv" | "ndjson" | "parquet") =>
	fileContent({ eventStore: real }, siteEvents("filed", { start: day, end: day }), format);

test("moments and days are ISO 8601 in texts, and moments, days and numbers such in Parquet", async () => {
	const ts = Date.parse("2026-11-19T09:00:00.250Z");
	await insertRows(real, [pageviewRow({ ts, site: "filed", path: "/a" })]);
	const csv = Buffer.concat(await Array.fromAsync(content("csv"))).toString();
	assert.match(csv.split("\r\n")[1] ?? "", /^2026-11-19T09:00:00\.250Z,2026-11-19,9,/);
	const row = JSON.parse(Buffer.concat(await Array.fromAsync(content("ndjson"))).toString());
	assert.deepEqual([row.timestamp, row.date, row.hour], ["2026-11-19T09:00:00.250Z", "2026-11-19", 9]);
	const directory = newDirectory();
	const path = join(directory, "events.parquet");
	await writeAtomic(path, content("parquet"));
	const file = `file('${path}', 'Parquet')`;
	const columns = await real.query<{ name: string; type: string }>({ sql: `DESCRIBE ${file}` });
	const types = Object.fromEntries(columns.map(({ name, type }) => [name, type]));
	const some = [types.timestamp, types.date, types.hour, types.path, types.revenue].join(" ");
	assert.equal(some, "DateTime64(3, 'UTC') Date32 Nullable(UInt8) String Decimal(18, 4)");
	const rows = await real.query({ sql: `SELECT toUnixTimestamp64Milli(timestamp) AS ms, date FROM ${file}` });
	assert.deepEqual(rows, [{ ms: ts, date: "2026-11-19" }]);
});

test("the largest groups of two periods are those with most in either, each with its sums in both", async () => {
	const visits = (day: string, counts: Readonly<Record<string, number>>) =>
		Object.entries(counts).map(([country, entrance]) =>
			pageviewRow({ site: "largest", ts: Date.parse(`${day}T10:00:00Z`), country, entrance }),
		);
	const [now, before] = ["2026-11-20", "2026-11-19"];
	await insertRows(store, [...visits(now, { DE: 9, ES: 3, FR: 2 }), ...visits(before, { DE: 1, ES: 4, PT: 7 })]);
	const dayOf = (day: string) => ({ start: Temporal.PlainDate.from(day), end: Temporal.PlainDate.from(day) });
	const query = {
		site: "largest",
		range: dayOf(now),
		dimensions: ["country"],
		metrics: ["entrances"],
		conditions: [],
	} as const;
	const found = await runLargest({ eventStore: store }, query, dayOf(before), { by: "entrances", limit: 3 });
	const told = found.map(({ row, earlier }) => [row.country, row.entrances, earlier.entrances]);
	assert.deepEqual(told, [
		["DE", 9, 1],
		["PT", 0, 7],
		["ES", 3, 4],
	]);
});
