import assert from "node:assert/strict";
import { test } from "node:test";
import { changeOf } from "./change-of.ts";

test("counts change in percent, rates in points", () => {
	assert.deepEqual(changeOf(112, 100, "count"), { state: "up", by: 12, unit: "percent", kind: "count" });
	assert.deepEqual(changeOf(97, 100, "money"), { state: "down", by: -3, unit: "percent", kind: "money" });
	assert.deepEqual(changeOf(60, 50, "rate"), { state: "up", by: 10, unit: "points", kind: "rate" });
});

test("less than half a percent is no change, and nothing before is new", () => {
	assert.equal(changeOf(1004, 1000, "count").state, "same");
	assert.equal(changeOf(1, 0, "count").state, "new");
	assert.equal(changeOf(0, 0, "count").state, "none");
	assert.equal(changeOf(0, 0, "rate").state, "none");
	assert.equal(changeOf(0, 4, "count").by, -100);
});

test("a figure after one below zero is told by its difference", () => {
	const told = (now: number, before: number) => {
		const { state, by, unit } = changeOf(now, before, "money");
		return [state, by, unit].join(" ");
	};
	assert.equal(told(120, -80), "up 200 difference");
	assert.equal(told(-100, -80), "down -20 difference");
	assert.equal(told(-80, -80), "same 0 difference");
	assert.equal(told(0, -80), "up 80 difference");
	assert.equal(told(-80, 0), "down -80 difference");
	assert.equal(told(-80, 40), "down -300 percent");
});
