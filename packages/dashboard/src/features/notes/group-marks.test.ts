import assert from "node:assert/strict";
import { test } from "node:test";
import { groupMarks } from "./group-marks.ts";

const marks = [
	{ index: 0, entries: ["a"] },
	{ index: 1, entries: ["b", "c"] },
	{ index: 4, entries: ["d"] },
];

test("marks that have room stay apart", () => {
	assert.deepEqual(
		groupMarks(marks, (index) => index * 40, 30),
		marks,
	);
});

test("marks that would stand over each other become one below the first, in their order", () => {
	assert.deepEqual(
		groupMarks(marks, (index) => index * 20, 30),
		[
			{ index: 0, entries: ["a", "b", "c"] },
			{ index: 4, entries: ["d"] },
		],
	);
	assert.deepEqual(
		groupMarks(marks, (index) => index * 5, 30),
		[{ index: 0, entries: ["a", "b", "c", "d"] }],
	);
	assert.deepEqual(
		groupMarks([], (index) => index, 30),
		[],
	);
});
