import assert from "node:assert/strict";
import { test } from "node:test";
import { sparklinePath } from "./sparkline-path.ts";

test("zero lies at the foot, the largest value at the top, the last day apart", () => {
	assert.deepEqual(sparklinePath([0, 10, 5], 100, 32), {
		line: "M0 31L50 1",
		area: "M0 32L0 31L50 1L100 16L100 32Z",
		running: "M50 1L100 16",
	});
});

test("days without anything are a line at the foot", () => {
	assert.deepEqual(sparklinePath([0, 0], 100, 32).line, "M0 31");
	assert.deepEqual(sparklinePath([0, 0], 100, 32).running, "M0 31L100 31");
});

test("one value makes no line", () => {
	assert.deepEqual(sparklinePath([3], 100, 32), { line: "", area: "", running: "" });
});
