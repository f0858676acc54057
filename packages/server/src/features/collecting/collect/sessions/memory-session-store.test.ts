import assert from "node:assert/strict";
import { test } from "node:test";
import { liveHeap } from "../../../../../test/support/live-heap.ts";
import { ids, MINUTE, NOON, sessionState, TIMEOUT } from "../../../../../test/support/sessions.ts";
import { ClickIdMemory } from "./click-id-memory.ts";
import { MemorySessionStore } from "./memory-session-store.ts";
import { newSessionId } from "./session-state.ts";

/** A visit of the visitor whose landing page is as long as said, cut from a text of `around` characters. */
function open(store: MemorySessionStore, visitor: number, now: number, length = 30, around = 0): void {
	const text = `${String(visitor).padStart(8)}${"x".repeat(length + around)}`;
	const next = sessionState(newSessionId(visitor, now, undefined), now);
	const dimensions = { ...next.dimensions, landing_path: text.slice(0, length) };
	store.transact(ids(visitor), now, () => ({ next: { ...next, dimensions }, result: undefined }));
}

test("ended sessions do not pile up in memory", () => {
	const store = new MemorySessionStore({ timeoutMs: TIMEOUT });
	for (let visitor = 0; visitor < 1000; visitor++) open(store, visitor, NOON);
	for (let visitor = 1000; visitor < 2000; visitor++) open(store, visitor, NOON + TIMEOUT);
	assert.equal(store.size, 1000);
});

test("when memory is full, the sessions that were not seen for longest go first", () => {
	const store = new MemorySessionStore({ timeoutMs: TIMEOUT, maxBytes: 1_000_000 });
	for (let visitor = 0; visitor < 500; visitor++) open(store, visitor, NOON);
	for (let visitor = 500; visitor < 5000; visitor++) {
		open(store, visitor, NOON + MINUTE);
		if (visitor % 100 === 0) open(store, 7, NOON + MINUTE);
	}
	assert.equal(store.get(8), undefined);
	assert.equal(store.get(7)?.lastSeen, NOON + MINUTE);
	assert.equal(store.get(4999)?.lastSeen, NOON + MINUTE);
	assert.ok(store.size > 900 && store.size < 1200, `${store.size} sessions are held`);
});

test("long values leave room for fewer sessions", () => {
	const store = new MemorySessionStore({ timeoutMs: TIMEOUT, maxBytes: 1_000_000 });
	for (let visitor = 0; visitor < 500; visitor++) open(store, visitor, NOON, 10_000);
	assert.ok(store.size > 50 && store.size < 80, `${store.size} sessions are held`);
});

test("sessions stay within their memory, and do not keep the texts that their values were cut from", () => {
	const maxBytes = 16_000_000;
	const store = new MemorySessionStore({ timeoutMs: TIMEOUT, maxBytes });
	const before = liveHeap();
	for (let visitor = 0; visitor < 30_000; visitor++) open(store, visitor, NOON, 36, 14_000);
	const bytes = liveHeap() - before;
	assert.ok(store.size > 10_000, `${store.size} sessions are held`);
	assert.ok(bytes < maxBytes, `${bytes} bytes of ${maxBytes}`);
});

test("click ids take no more memory than they may", () => {
	const maxBytes = 10_000_000;
	const before = liveHeap();
	const memory = new ClickIdMemory(maxBytes);
	for (let digest = 0; digest < 300_000; digest++) memory.add(digest * 2 ** 33 + 1, NOON + digest);
	const bytes = liveHeap() - before;
	assert.ok(memory.size > 60_000, `${memory.size} ids are held`);
	assert.ok(bytes < maxBytes, `${bytes} bytes of ${maxBytes}`);
});

test("click ids stay within their memory, the longest unseen go first, and a sight renews", () => {
	const memory = new ClickIdMemory(150_000);
	for (let digest = 0; digest < 1000; digest++) memory.add(digest, NOON);
	memory.add(0, NOON + 60 * MINUTE);
	for (let digest = 1000; digest < 1999; digest++) memory.add(digest, NOON + 60 * MINUTE);
	assert.equal(memory.size, 1000);
	assert.equal(memory.has(0, NOON + 60 * MINUTE), true);
	assert.equal(memory.has(1, NOON + 60 * MINUTE), false);
	assert.equal(memory.has(999, NOON + 60 * MINUTE), false);
	assert.equal(memory.has(1998, NOON + 60 * MINUTE), true);
});
