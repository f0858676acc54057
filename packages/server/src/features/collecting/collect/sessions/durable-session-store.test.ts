import assert from "node:assert/strict";
import { appendFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, test } from "node:test";
import { DAY, ids, MINUTE, NOON, sessionState, TIMEOUT, visit } from "../../../../../test/support/sessions.ts";
import { createTestClock, type TestClock } from "../../../../../test/support/test-clock.ts";
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
