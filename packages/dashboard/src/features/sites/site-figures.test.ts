import assert from "node:assert/strict";
import { test } from "node:test";
import { figuresOf, ordered } from "./site-figures.ts";

const overview = (now: number, before: number, days: readonly number[]) =>
	figuresOf({
		traffic: { entrances: now },
		traffic_change: { entrances: before },
		entrances_series: { points: days.map((value) => ({ value })) },
	} as unknown as Parameters<typeof figuresOf>[0]);

test("a site's figures are those of the answer; it is quiet when neither yesterday nor today brought a visit", () => {
	assert.deepEqual(overview(150, 100, [70, 80]), { visits: 150, before: 100, days: [70, 80], isQuiet: false });
	const isQuiet = (...days: readonly number[]) => overview(5, 0, days).isQuiet;
	assert.deepEqual([isQuiet(5, 0, 0), isQuiet(4, 1, 0), isQuiet(4, 0, 1)], [true, false, false]);
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

test("sites stand by visits or by name; pinned ones come first, in the order in which they were pinned", () => {
	assert.deepEqual([ids("visits", []), ids("name", []), ids("visits", ["d", "c", "gone"])], ["bacd", "abcd", "dcba"]);
});
