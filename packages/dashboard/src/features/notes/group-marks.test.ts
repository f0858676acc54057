import assert from "node:assert/strict";
import { test } from "node:test";
import { groupMarks } from "./group-marks.ts";

const marks = [
	{ index: 0, entries: ["a"] },
	{ index: 1, entries: ["b", "c"] },
	{ index: 4, entries: ["d"] },
];

test("marks that have room stay apart; those that would stand over each other become one below the first, in their order", () => {
	/** The groups where points stand so far apart, as texts. */
	const grouped = (apart: number) =>
		groupMarks(marks, (index) => index * apart, 30).map(({ index, entries }) => `${index} ${entries.join("")}`);
	assert.deepEqual(grouped(40), ["0 a", "1 bc", "4 d"]);
	assert.deepEqual(grouped(20), ["0 abc", "4 d"]);
	assert.deepEqual(grouped(5), ["0 abcd"]);
	const found = groupMarks([], (index) => index, 30);
	assert.deepEqual(found, []);
});
