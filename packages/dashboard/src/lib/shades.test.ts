import assert from "node:assert/strict";
import { test } from "node:test";
import { limitsOf, shadeOf } from "./shades.ts";

test("shades widen by a factor from the least to the largest value", () => {
	const limits = limitsOf([1, 10, 100, 1_000, 10_000, 100_000, 0]);
	assert.deepEqual(limits, [1, 10, 100, 1_000, 10_000]);
	assert.deepEqual(
		[0, 1, 99, 100, 100_000].map((value) => shadeOf(limits, value)),
		[0, 1, 2, 3, 5],
	);
});

test("even shades are equally wide", () => {
	assert.deepEqual(limitsOf([0, 10, 110], "even"), [10, 30, 50, 70, 90]);
});

test("few different values have few shades, and none have none", () => {
	assert.deepEqual(limitsOf([3, 3]), [3]);
	assert.deepEqual(limitsOf([0]), []);
	assert.equal(shadeOf([], 0), 0);
	assert.deepEqual(limitsOf([0.4, 0.4]), [0.4]);
});
