import assert from "node:assert/strict";
import {
	appendFileSync,
	existsSync,
	mkdtempSync,
	readdirSync,
	rmSync,
	statSync,
	truncateSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, test } from "node:test";
import { DAY, ids, MINUTE, NOON, sessionState, TIMEOUT, visit } from "../../../../../test/support/sessions.ts";
import { createTestClock, type TestClock } from "../../../../../test/support/test-clock.ts";
import { DayLog } from "./day-log.ts";
import { DurableSessionStore } from "./durable-session-store.ts";
import { MemorySessionStore } from "./memory-session-store.ts";
import { newSessionId } from "./session-state.ts";

const directories: string[] = [];
after(() => {
	for (const directory of directories) rmSync(directory, { recursive: true });
});

let directory: string;
let clock: TestClock;
let errors: unknown[];
beforeEach(() => {
	directory = mkdtempSync(join(tmpdir(), "footfall-sessions-"));
	directories.push(directory);
	clock = createTestClock(new Date(NOON).toISOString());
	errors = [];
});

/** As after a start; an earlier one is left as a kill leaves it. */
const start = () =>
	DurableSessionStore.open({
		store: new MemorySessionStore({ timeoutMs: TIMEOUT }),
		directory,
		clock,
		onError: (error) => errors.push(error),
	});

test("click ids, renewed and undone ones too, are known after a kill as before it", async () => {
	const first = await start();
	await first.rememberClickId("demo", "seen", NOON);
	await first.rememberClickId("demo", "renewed", NOON);
	await first.rememberClickId("demo", "renewed", NOON + 20 * DAY);
	await first.rememberClickId("demo", "undone", NOON + 20 * DAY);
	await first.forgetClickId("demo", "undone", NOON + 20 * DAY);
	clock.advance(20 * DAY);
	const second = await start();
	const seen = (clickId: string, at: number) => second.isClickIdSeen("demo", clickId, at);
	assert.equal(await seen("seen", NOON + 30 * DAY - 1), true);
	assert.equal(await seen("seen", NOON + 30 * DAY), false);
	assert.equal(await seen("renewed", NOON + 50 * DAY - 1), true);
	assert.equal(await seen("undone", NOON + 20 * DAY), false);
	await first.close();
	await second.close();
});

test("a line that a power cut left half written costs that line alone", async () => {
	const first = await start();
	await first.rememberClickId("demo", "one", NOON);
	await first.close();
	for (const name of readdirSync(directory)) appendFileSync(join(directory, name), "+3f");
	const second = await start();
	await second.rememberClickId("demo", "two", NOON);
	await second.close();
	const third = await start();
	assert.equal(await third.isClickIdSeen("demo", "one", NOON), true);
	assert.equal(await third.isClickIdSeen("demo", "two", NOON), true);
	await third.close();
});

test("a visit that ran over two midnights is found again with its entrance, though its rows name the first day's visitor", async () => {
	const first = await start();
	const begun = sessionState(newSessionId(10, NOON, undefined), NOON);
	const later = { ...begun, lastSeen: NOON + MINUTE };
	await visit(first, ids(10), NOON, begun);
	await visit(first, ids(20, 10), NOON + MINUTE, later);
	await visit(first, ids(30, 20), NOON + MINUTE, later);
	const second = await start();
	const fromRows = { ...later, entrance: null };
	await second.restore([{ visitor: 10, state: fromRows }]);
	assert.deepEqual(await visit(second, ids(30), NOON + MINUTE, later), later);
	await first.close();
	await second.close();
});

test("notes of moved visits are gone two days later, those of click ids after a month", async () => {
	const first = await start();
	const begun = sessionState(newSessionId(10, NOON, undefined), NOON);
	await visit(first, ids(10), NOON, begun);
	await visit(first, ids(20, 10), NOON, begun);
	await first.rememberClickId("demo", "abc", NOON);
	await first.close();
	const namesAfter = async (days: number) => {
		clock.set(new Date(NOON + days * DAY).toISOString());
		await (await start()).close();
		return readdirSync(directory);
	};
	assert.deepEqual(await namesAfter(1), ["click-ids-2026-05-20", "moves-2026-05-20"]);
	assert.deepEqual(await namesAfter(2), ["click-ids-2026-05-20"]);
	assert.deepEqual(await namesAfter(30), ["click-ids-2026-05-20"]);
	assert.deepEqual(await namesAfter(31), []);
});

test("when nothing can be noted, that is said once and the store goes on", async () => {
	const store = await start();
	rmSync(directory, { recursive: true });
	assert.equal(await store.rememberClickId("demo", "one", NOON), true);
	assert.equal(await store.rememberClickId("demo", "two", NOON), true);
	assert.equal(await store.isClickIdSeen("demo", "two", NOON), true);
	assert.equal(errors.length, 1);
	assert.equal(existsSync(directory), false);
	directories.pop();
	await store.close();
});

test("notes of one site are bounded by the day, and those of others go on", async () => {
	const first = await start();
	const flooded = "flooded".repeat(10_000);
	for (let n = 0; n < 300; n++) first.rememberClickId(flooded, `${n}`, NOON);
	first.rememberClickId("demo", "one", NOON);
	await first.close();
	const [name = ""] = readdirSync(directory);
	const { size } = statSync(join(directory, name));
	assert.ok(size > 16 * 2 ** 20 && size < 16 * 2 ** 20 + 80_000, `${size} bytes`);
	const second = await start();
	assert.equal(second.isClickIdSeen("demo", "one", NOON), true);
	await second.close();
});

test("files of notes beyond 512 MiB are removed at a start, the oldest first", async () => {
	for (const day of ["18", "19", "20"]) {
		writeFileSync(join(directory, `click-ids-2026-05-${day}`), "");
		truncateSync(join(directory, `click-ids-2026-05-${day}`), 240 * 2 ** 20);
	}
	await DayLog.open({ clock, directory, name: "click-ids", keptDays: 30, onError: () => {} }, NOON);
	assert.deepEqual(readdirSync(directory), ["click-ids-2026-05-19", "click-ids-2026-05-20"]);
});

test("forgetting lets other work go on, and takes what is noted meanwhile", async () => {
	const store = await start();
	const other = "other".repeat(1_000);
	for (let n = 0; n < 1_000; n++) store.rememberClickId(n === 0 ? "demo" : other, `${n}`, NOON);
	let turns = 0;
	let isOver = false;
	const count = () => {
		turns++;
		if (!isOver) setImmediate(count);
	};
	setImmediate(count);
	const forgetting = store.forgetNotes({ siteId: "demo", covers: () => true, sessions: new Set() }, NOON);
	store.rememberClickId("demo", "late", NOON);
	store.rememberClickId(other, "late", NOON);
	await forgetting;
	isOver = true;
	// A turn for each 64 KiB that is filtered, and again for each that is looked through for earlier sights.
	assert.ok(turns >= 2 * Math.floor((999 * other.length) / 65_536), `${turns} turns of the loop`);
	await store.close();
	const second = await start();
	const seen = (site: string, id: string) => second.isClickIdSeen(site, id, NOON);
	assert.deepEqual(
		[seen("demo", "0"), seen("demo", "late"), seen(other, "1"), seen(other, "late")],
		[false, false, true, true],
	);
	await second.close();
});
