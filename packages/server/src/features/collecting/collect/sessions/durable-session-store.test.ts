import assert from "node:assert/strict";
import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { newDirectory } from "../../../../../test/support/new-directory.ts";
import { DAY, ids, MINUTE, NOON, sessionState, TIMEOUT, visit } from "../../../../../test/support/sessions.ts";
import { createTestClock, type TestClock } from "../../../../../test/support/test-clock.ts";
import { newSessionId } from "../../visitors/index.ts";
import { sightOf } from "./click-id-memory.ts";
import { DayLog } from "./day-log.ts";
import { DurableSessionStore } from "./durable-session-store.ts";
import { MemorySessionStore } from "./memory-session-store.ts";

let directory: string;
let clock: TestClock;
let errors: unknown[];
beforeEach(() => {
	directory = newDirectory();
	clock = createTestClock(new Date(NOON).toISOString());
	errors = [];
});
const files = () => fs.readdirSync(directory);

const opened: DurableSessionStore[] = [];
afterEach(() => Promise.all(opened.splice(0).map((store) => store.close())));

/** As after a start; an earlier one is left as a kill leaves it. */
async function start(): Promise<DurableSessionStore> {
	const around = { directory, clock, onError: (error: unknown) => errors.push(error) };
	const store = await DurableSessionStore.open({ ...around, store: new MemorySessionStore({ timeoutMs: TIMEOUT }) });
	opened.push(store);
	return store;
}
const seen = (store: DurableSessionStore, clickId: string, at = NOON, site = "demo") =>
	store.isClickIdSeen(site, clickId, at);

test("click ids, renewed and undone ones too, are known after a kill as before it", async () => {
	const first = await start();
	await first.noteSight(sightOf("demo", "seen", NOON));
	await first.noteSight(sightOf("demo", "renewed", NOON));
	await first.noteSight(sightOf("demo", "renewed", NOON + 20 * DAY));
	await first.noteSight(sightOf("demo", "undone", NOON + 20 * DAY));
	await first.noteSight(sightOf("demo", "undone", NOON + 20 * DAY, true));
	clock.advance(20 * DAY);
	const second = await start();
	assert.equal(await seen(second, "seen", NOON + 30 * DAY - 1), true);
	assert.equal(await seen(second, "seen", NOON + 30 * DAY), false);
	assert.equal(await seen(second, "renewed", NOON + 50 * DAY - 1), true);
	assert.equal(await seen(second, "undone", NOON + 20 * DAY), false);
});

test("a line that a power cut left half written costs that line alone", async () => {
	for (const clickId of ["one", "two"]) {
		const store = await start();
		await store.noteSight(sightOf("demo", clickId, NOON));
		await store.close();
		if (clickId === "one") for (const name of files()) fs.appendFileSync(join(directory, name), "+3f");
	}
	const store = await start();
	assert.deepEqual([await seen(store, "one"), await seen(store, "two")], [true, true]);
});

test("a visit that ran over two midnights is found again with its entrance; its notes are gone two days later", async () => {
	const first = await start();
	const begun = sessionState(newSessionId(10, NOON, undefined), NOON);
	const later = { ...begun, lastSeen: NOON + MINUTE };
	await visit(first, ids(10), NOON, begun);
	await visit(first, ids(20, 10), NOON + MINUTE, later);
	await visit(first, ids(30, 20), NOON + MINUTE, later);
	await first.noteSight(sightOf("demo", "abc", NOON));
	const second = await start();
	// Its rows name the first day's visitor.
	await second.restore([{ visitor: 10, state: { ...later, entrance: null } }]);
	assert.deepEqual(await visit(second, ids(30), NOON + MINUTE, later), later);
	const clickIds = "click-ids-2026-05-20";
	const kept = { 1: [clickIds, "moves-2026-05-20"], 2: [clickIds], 30: [clickIds], 31: [] };
	for (const [days, names] of Object.entries(kept)) {
		clock.set(new Date(NOON + Number(days) * DAY).toISOString());
		await start();
		assert.deepEqual(files(), names, `${days} days later`);
	}
});

test("when nothing can be noted, that is said once, again after notes that were written, and the store goes on", async () => {
	const store = await start();
	fs.rmSync(directory, { recursive: true });
	assert.equal(await store.noteSight(sightOf("demo", "one", NOON)), true);
	assert.equal(await store.noteSight(sightOf("demo", "two", NOON)), true);
	assert.equal(await seen(store, "two"), true);
	assert.equal(errors.length, 1);
	assert.equal(fs.existsSync(directory), false);
	fs.mkdirSync(directory);
	await store.noteSight(sightOf("demo", "three", NOON));
	fs.rmSync(directory, { recursive: true });
	await store.noteSight(sightOf("demo", "four", NOON + DAY));
	assert.equal(errors.length, 2);
});

test("notes of one site are bounded by the day, those of all at four times as much, and those of others go on", async () => {
	const first = await start();
	const flooded = (site: number) => `${site}`.padEnd(70_000, "flooded");
	const flood = async (site: number) => {
		for (let n = 0; n < 300; n++) await first.noteSight(sightOf(flooded(site), `${n}`, NOON));
		return fs.statSync(join(directory, "click-ids-2026-05-20")).size / 2 ** 20;
	};
	const size = await flood(1);
	assert.ok(size > 16 && size < 16.1, `${size} MiB`);
	await first.noteSight(sightOf("demo", "one", NOON));
	for (const site of [2, 3, 4]) await flood(site);
	const all = await flood(5);
	assert.ok(all > 64 && all < 64.1, `${all} MiB`);
	assert.equal(errors.length, 1);
	await first.noteSight(sightOf(flooded(1), "next", NOON + DAY));
	assert.ok(fs.statSync(join(directory, "click-ids-2026-05-21")).size > 70_000);
	assert.equal(await seen(await start(), "one"), true);
});

test("files of notes beyond 512 MiB are removed at a start, the oldest first, today's never", async () => {
	for (const day of ["18", "19", "20"]) {
		fs.writeFileSync(join(directory, `click-ids-2026-05-${day}`), "");
		fs.truncateSync(join(directory, `click-ids-2026-05-${day}`), 240 * 2 ** 20);
	}
	const open = () => DayLog.open({ clock, directory, name: "click-ids", keptDays: 30, onError: () => {} }, NOON);
	await open();
	assert.deepEqual(files(), ["click-ids-2026-05-19", "click-ids-2026-05-20"]);
	fs.truncateSync(join(directory, "click-ids-2026-05-20"), 600 * 2 ** 20);
	await open();
	assert.deepEqual(files(), ["click-ids-2026-05-20"]);
});

test("forgetting lets other work go on, and takes what is noted meanwhile", async () => {
	const store = await start();
	const other = "other".repeat(1_000);
	for (let n = 0; n < 1_000; n++) store.noteSight(sightOf(n === 0 ? "demo" : other, `${n}`, NOON));
	let turns = 0;
	let isOver = false;
	const count = () => {
		turns++;
		if (!isOver) setImmediate(count);
	};
	setImmediate(count);
	const forgetting = store.forgetNotes({ siteId: "demo", covers: () => true, sessions: new Set() }, NOON);
	store.noteSight(sightOf("demo", "late", NOON));
	store.noteSight(sightOf(other, "late", NOON));
	await forgetting;
	isOver = true;
	// A turn for each 64 KiB that is filtered, and again for each that is looked through for earlier sights.
	assert.ok(turns >= 2 * Math.floor((999 * other.length) / 65_536), `${turns} turns of the loop`);
	await store.close();
	const second = await start();
	assert.deepEqual([seen(second, "0"), seen(second, "late")], [false, false]);
	assert.deepEqual([seen(second, "1", NOON, other), seen(second, "late", NOON, other)], [true, true]);
});
