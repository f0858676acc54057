import assert from "node:assert/strict";
import { test } from "node:test";
import { liveHeap } from "../../../../../test/support/live-heap.ts";
import { ids, MINUTE, NOON, sessionState, TIMEOUT } from "../../../../../test/support/sessions.ts";
import { ClickIdMemory } from "./click-id-memory.ts";
import { MemorySessionStore } from "./memory-session-store.ts";
import { newSessionId } from "./session-state.ts";

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
	assert.deepEqual(
		[0, 1, 999, 1998].map((digest) => memory.has(digest, later)),
		[true, false, false, true],
	);
});
