import assert from "node:assert/strict";
import { test } from "node:test";
import { changeOf } from "./change-of.ts";

test("counts change in percent, rates in points", () => {
	assert.deepEqual(changeOf(112, 100, "count"), { state: "up", by: 12, unit: "percent" });
	assert.deepEqual(changeOf(97, 100, "money"), { state: "down", by: -3, unit: "percent" });
	assert.deepEqual(changeOf(60, 50, "rate"), { state: "up", by: 10, unit: "points" });
});

test("less than half a percent is no change, and nothing before is new", () => {
	assert.equal(changeOf(1004, 1000, "count").state, "same");
	assert.equal(changeOf(1, 0, "count").state, "new");
	assert.equal(changeOf(0, 0, "count").state, "none");
	assert.equal(changeOf(0, 0, "rate").state, "none");
	assert.equal(changeOf(0, 4, "count").by, -100);
});
