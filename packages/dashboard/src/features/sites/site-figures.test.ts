import assert from "node:assert/strict";
import { test } from "node:test";
import { figuresOf, ordered } from "./site-figures.ts";

const overview = (now: number, before: number, days: readonly number[]) =>
	figuresOf({
		traffic: { entrances: now },
		traffic_change: { entrances: before },
		entrances_series: { points: days.map((value) => ({ value })) },
	} as unknown as Parameters<typeof figuresOf>[0]);

test("a site's figures are those of the answer, day by day", () => {
	assert.deepEqual(overview(150, 100, [70, 80]), { visits: 150, before: 100, days: [70, 80], isQuiet: false });
});

test("a site is quiet when neither yesterday nor today brought a visit", () => {
	assert.equal(overview(5, 0, [5, 0, 0]).isQuiet, true);
	assert.equal(overview(5, 0, [4, 1, 0]).isQuiet, false);
	assert.equal(overview(5, 0, [4, 0, 1]).isQuiet, false);
});

const sites = [
	{ id: "b", name: "Bakery" },
	{ id: "a", name: "Atelier" },
	{ id: "c", name: "Cat shop" },
	{ id: "d", name: "Dog shop" },
];
const visits = new Map([
	["a", 5],
	["b", 50],
	["c", 1],
]);
const ids = (by: "visits" | "name", pinned: readonly string[]) =>
	ordered(sites, by, { pinned, visits })
		.map(({ id }) => id)
		.join("");

test("sites stand by visits or by name", () => {
	assert.equal(ids("visits", []), "bacd");
	assert.equal(ids("name", []), "abcd");
});

test("pinned sites come first, in the order in which they were pinned", () => {
	assert.equal(ids("visits", ["d", "c", "gone"]), "dcba");
});
