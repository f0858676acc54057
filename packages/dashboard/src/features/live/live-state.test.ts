import assert from "node:assert/strict";
import { test } from "node:test";
import { after, type LiveEvent, type LiveHit, mostHits, noState } from "./live-state.ts";

const hit = (second: number, path = "/"): LiveHit => ({
	at: `2026-11-22T12:00:${String(second).padStart(2, "0")}.000Z`,
	kind: "pageview",
	path,
	country: "ES",
	device: "mobile",
	source: "google",
});
const told = (...events: readonly LiveEvent[]) => events.reduce(after, noState);

test("the newest hit is on top, also when an older one is told later", () => {
	const state = told(
		{ kind: "hits", hits: [hit(1, "/a"), hit(3, "/c")], at: 5 },
		{ kind: "hits", hits: [hit(2, "/b"), hit(4, "/d")], at: 6 },
	);
	const found = state.hits.map(({ path }) => path);
	assert.deepEqual(found, ["/d", "/c", "/b", "/a"]);
	assert.equal(new Set(state.hits.map(({ number }) => number)).size, 4);
});

test("no more than the latest fifty are kept", () => {
	const many = Array.from({ length: 60 }, (_, at) => hit(at, `/${at}`));
	const { hits } = told({ kind: "hits", hits: many, at: 1 });
	assert.equal(hits.length, mostHits);
	assert.equal(hits[0]?.path, "/59");
	assert.equal(hits.at(-1)?.path, "/10");
});

test("a word connects, and says when it was heard; figures stay while the connection is away", () => {
	const seen = (...events: readonly LiveEvent[]) => {
		const { connection, active, heardAt, retryAt } = told(...events);
		return [connection, active, heardAt, retryAt];
	};
	const away = { kind: "waiting", retryAt: 9 } as const;
	assert.deepEqual(seen(away, { kind: "now", active: 12, at: 7 }), ["connected", 12, 7, undefined]);
	assert.deepEqual(seen({ kind: "now", active: 3, at: 1 }, away), ["waiting", 3, 1, 9]);
	assert.deepEqual(seen(away, { kind: "refused" }), ["refused", undefined, undefined, undefined]);
});

test("hits that were not told are counted", () => {
	assert.equal(told({ kind: "skipped", count: 4, at: 1 }, { kind: "skipped", count: 2, at: 2 }).skipped, 6);
});
