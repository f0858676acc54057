import assert from "node:assert/strict";
import { test } from "node:test";
import { liveHeap } from "../../../../test/support/live-heap.ts";
import { ids, MINUTE, NOON, sessionState, TIMEOUT } from "../../../../test/support/sessions.ts";
import { newSessionId } from "../visitors/index.ts";
import { RejectionLog } from "./rejection-log.ts";
import { ClickIdMemory } from "./sessions/click-id-memory.ts";
import { MemorySessionStore } from "./sessions/memory-session-store.ts";

/** Visits whose landing pages are as long as said, cut from texts of `around` more characters. */
function open(store: MemorySessionStore, [from, to]: [number, number], now: number, length = 30, around = 0): void {
	for (let visitor = from; visitor < to; visitor++) {
		const text = `${String(visitor).padStart(8)}${"x".repeat(length + around)}`;
		const next = sessionState(newSessionId(visitor, now, undefined), now);
		const dimensions = { ...next.dimensions, landing_path: text.slice(0, length) };
		store.transact(ids(visitor), now, () => ({ next: { ...next, dimensions }, result: undefined }));
	}
}

test("ended sessions do not pile up in memory", () => {
	const store = new MemorySessionStore({ timeoutMs: TIMEOUT });
	open(store, [0, 1000], NOON);
	open(store, [1000, 2000], NOON + TIMEOUT);
	assert.equal(store.size, 1000);
});

test("when memory is full, sooner by long values, the sessions that were not seen for longest go first", () => {
	const store = new MemorySessionStore({ timeoutMs: TIMEOUT, maxBytes: 1_000_000 });
	open(store, [0, 500], NOON);
	for (let visitor = 500; visitor < 5000; visitor += 100) {
		open(store, [visitor, visitor + 100], NOON + MINUTE);
		open(store, [7, 8], NOON + MINUTE);
	}
	assert.equal(store.get(8), undefined);
	assert.equal(store.get(7)?.lastSeen, NOON + MINUTE);
	assert.equal(store.get(4999)?.lastSeen, NOON + MINUTE);
	assert.ok(store.size > 900 && store.size < 1200, `${store.size} sessions are held`);
	open(store, [5000, 5500], NOON + MINUTE, 10_000);
	assert.ok(store.size > 50 && store.size < 80, `${store.size} sessions are held`);
});

test("sessions stay within their memory, and do not keep the texts that their values were cut from", () => {
	const maxBytes = 16_000_000;
	const store = new MemorySessionStore({ timeoutMs: TIMEOUT, maxBytes });
	const before = liveHeap();
	open(store, [0, 30_000], NOON, 36, 14_000);
	const bytes = liveHeap() - before;
	assert.ok(store.size > 10_000, `${store.size} sessions are held`);
	assert.ok(bytes < maxBytes, `${bytes} bytes of ${maxBytes}`);
});

test("click ids stay within their memory, the longest unseen go first, and a sight renews", () => {
	const maxBytes = 10_000_000;
	const before = liveHeap();
	const large = new ClickIdMemory(maxBytes);
	for (let digest = 0; digest < 300_000; digest++) large.add(digest * 2 ** 33 + 1, NOON + digest);
	const bytes = liveHeap() - before;
	assert.ok(large.size > 60_000, `${large.size} ids are held`);
	assert.ok(bytes < maxBytes, `${bytes} bytes of ${maxBytes}`);
	const memory = new ClickIdMemory(150_000);
	const later = NOON + 60 * MINUTE;
	for (let digest = 0; digest < 1000; digest++) memory.add(digest, NOON);
	memory.add(0, later);
	for (let digest = 1000; digest < 1999; digest++) memory.add(digest, later);
	assert.equal(memory.size, 1000);
	const found = [0, 1, 999, 1998].map((digest) => memory.has(digest, later));
	assert.deepEqual(found, [true, false, false, true]);
});

test("a day of hits of many sites takes kilobytes a site", () => {
	const sites = Array.from({ length: 300 }, (_, index) => `site-${index}`);
	const used = () => liveHeap() + process.memoryUsage().arrayBuffers;
	const before = used();
	const log = new RejectionLog();
	for (let minute = 0; minute < 1440; minute++) {
		for (const site of sites) log.accept(site, NOON + minute * MINUTE);
	}
	const bytes = used() - before;
	assert.ok(bytes < 20_000_000, `${Math.round(bytes / 1000)} kB`);
	assert.equal(log.window("site-7", 1440, NOON + 1439 * MINUTE).accepted, 1440);
});

test("hits are counted by the minute for a day, also after a clock that was a year ahead", () => {
	const log = new RejectionLog();
	log.accept("shop", NOON + 365 * 1440 * MINUTE);
	for (let minute = 0; minute < 2000; minute++) log.accept("shop", NOON + minute * MINUTE);
	const now = NOON + 1999 * MINUTE;
	const accepted = (minutes: number, at: number) => log.window("shop", minutes, at).accepted;
	assert.deepEqual([accepted(1, now), accepted(60, now), accepted(1440, now)], [1, 60, 1440]);
	assert.deepEqual([accepted(60, now + 10 * MINUTE), accepted(1440, now + 2000 * MINUTE)], [50, 0]);
	log.accept("shop", now + 100 * MINUTE);
	assert.equal(accepted(101, now + 100 * MINUTE), 2);
	assert.equal(log.window("other", 60, now).accepted, 0);
});

test("rejections are counted whole, and the hosts of those who make up hosts to a bound", () => {
	const log = new RejectionLog();
	for (let host = 0; host < 5000; host++) log.reject("shop", "invalid_domain", `h${host}.example`, NOON);
	for (let site = 0; site < 500; site++) log.reject(`site-${site}`, "invalid_token", "own.example", NOON);
	log.reject("shop", "invalid_domain", "h0.example", NOON);
	log.reject("shop", "invalid_json", "", NOON);
	const { rejected, reasons } = log.window("shop", 5, NOON);
	const found = reasons.map(({ reason, count, origins }) => `${reason} ${count} ${origins.length}`);
	assert.deepEqual([rejected, ...found], [5002, "invalid_domain 5001 10", "invalid_json 1 0"]);
	assert.deepEqual(reasons[0]?.origins[0], { origin: "h0.example", count: 2 });
	assert.equal(log.window("site-499", 5, NOON).rejected, 1);
	// Of a site twenty hosts are kept a minute, of all sites two hundred.
	const kept = (site: string, reason: string) =>
		Object.keys(log.hour(site, NOON / (60 * MINUTE)).origins[reason] ?? {}).length;
	assert.deepEqual([kept("shop", "invalid_domain"), kept("site-179", "invalid_token")], [20, 1]);
	assert.equal(kept("site-180", "invalid_token"), 0);
});
