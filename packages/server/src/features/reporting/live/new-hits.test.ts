import assert from "node:assert/strict";
import { test } from "node:test";
import type { LiveHit } from "../../../analytics/query/reports/live-figures.ts";
import { HitTeller } from "./new-hits.ts";
import { StreamPlaces } from "./stream-places.ts";

const hit = (id: number, at = id): LiveHit => ({
	id,
	at,
	kind: "pageview",
	path: `/${id}`,
	country: "ES",
	device: "mobile",
	source: "google",
	eventType: "",
	amount: 0,
});

const idsOf = ({ told, skipped }: ReturnType<HitTeller["look"]>) => [told.map(({ id }) => id), skipped];

test("what was there at the first look is not told, nor anything twice", () => {
	const teller = new HitTeller();
	assert.deepEqual(idsOf(teller.look([hit(1), hit(2)], 0)), [[], 0]);
	assert.deepEqual(idsOf(teller.look([hit(1), hit(2), hit(3)], 0)), [[3], 0]);
	assert.deepEqual(idsOf(teller.look([hit(2), hit(3)], 1)), [[], 0]);
});

test("a hit that was stored late is told when it comes, and one that was missing for a moment not again", () => {
	const teller = new HitTeller();
	teller.look([hit(1)], 0);
	assert.deepEqual(idsOf(teller.look([hit(1), hit(5)], 0)), [[5], 0]);
	assert.deepEqual(idsOf(teller.look([hit(1), hit(3), hit(5)], 0)), [[3], 0]);
	assert.deepEqual(idsOf(teller.look([hit(1), hit(3)], 0)), [[], 0]);
	assert.deepEqual(idsOf(teller.look([hit(1), hit(3), hit(5), hit(4)], 0)), [[4], 0]);
});

test("hits that are the same in everything are told as often as they are there", () => {
	const teller = new HitTeller();
	teller.look([], 0);
	assert.deepEqual(idsOf(teller.look([hit(7), hit(7)], 0)), [[7, 7], 0]);
	assert.deepEqual(idsOf(teller.look([hit(7), hit(7), hit(7)], 0)), [[7], 0]);
});

test("of more than twenty the latest are told, and how many were not", () => {
	const teller = new HitTeller();
	teller.look([], 0);
	const many = Array.from({ length: 25 }, (_, index) => hit(index + 1));
	assert.deepEqual(idsOf(teller.look(many, 0)), [Array.from({ length: 20 }, (_, index) => index + 6), 5]);
	assert.deepEqual(idsOf(teller.look(many, 0)), [[], 0]);
});

test("streams at once: 5 of a user, 50 of an organization, 200 of a process; a place given back twice is one place", () => {
	const places = new StreamPlaces();
	const refusal = { code: "rate_limit_exceeded", retryAfter: 10 };
	const leave = Array.from({ length: 5 }, () => places.take(1, "a"));
	assert.throws(() => places.take(1, "b"), refusal);
	leave[0]?.();
	leave[0]?.();
	places.take(1, "a");
	assert.throws(() => places.take(1, "b"), refusal);
	for (let user = 2; user < 47; user += 1) places.take(user, "a");
	assert.throws(() => places.take(1000, "a"), refusal);
	for (let user = 50; user < 200; user += 1) places.take(user, `other ${user % 3}`);
	assert.throws(() => places.take(1000, "b"), refusal);
	leave[1]?.();
	places.take(1000, "a");
});
