import assert from "node:assert/strict";
import { test } from "node:test";
import { changeOf } from "../change/change-of.ts";
import { linear, nearestPoint } from "./scale.ts";
import { sparklinePath } from "./sparkline-path.ts";
import { pointTicks, sharedTicks, valueTicks } from "./ticks.ts";

test("values of an axis are 1, 2 or 5 times a power of ten apart and cover the largest and refunds; whole numbers have no half tick", () => {
	assert.deepEqual(valueTicks(0, 1_023), [0, 500, 1_000, 1_500]);
	assert.deepEqual(valueTicks(0, 800), [0, 200, 400, 600, 800]);
	assert.deepEqual(valueTicks(3, 37), [0, 10, 20, 30, 40]);
	assert.deepEqual(valueTicks(0, 0.31), [0, 0.1, 0.2, 0.3, 0.4]);
	assert.deepEqual(valueTicks(-120, 180), [-200, -100, 0, 100, 200]);
	assert.deepEqual(valueTicks(0, 2, { whole: true }), [0, 1, 2]);
	assert.deepEqual(valueTicks(0, 2), [0, 0.5, 1, 1.5, 2]);
	assert.deepEqual(valueTicks(0, 0), [0, 1]);
});

test("a second axis has as many round steps as the first one", () => {
	assert.deepEqual(sharedTicks(3_700, 3), [0, 2_000, 4_000, 6_000]);
	assert.deepEqual(sharedTicks(2, 4, true), [0, 1, 2, 3, 4]);
	assert.deepEqual(sharedTicks(0, 4), [0]);
});

test("dates stand at even distances, a scale maps ends onto ends, and a pointer chooses the nearest point, never one outside", () => {
	assert.deepEqual(pointTicks(30, 8), [0, 5, 10, 15, 20, 25]);
	assert.deepEqual(pointTicks(24, 9), [0, 3, 6, 9, 12, 15, 18, 21]);
	assert.deepEqual(pointTicks(31, 4), [0, 10, 20, 30]);
	assert.deepEqual(pointTicks(7, 20), [0, 1, 2, 3, 4, 5, 6]);
	assert.deepEqual([pointTicks(1, 3), pointTicks(0, 3)], [[0], []]);
	assert.deepEqual([0, 50, 200].map(linear([0, 200], [100, 0])), [100, 75, 0]);
	assert.equal(linear([0, 0], [100, 0])(0), 100);
	const found = [-0.2, 0, 0.24, 0.26, 1, 7].map((share) => nearestPoint(share, 3));
	assert.deepEqual(found, [0, 0, 0, 1, 2, 2]);
});

test("in a sparkline zero lies at the foot, the largest value at the top, the last day apart", () => {
	assert.deepEqual(sparklinePath([0, 10, 5], 100, 32), {
		line: "M0 31L50 1",
		area: "M0 32L0 31L50 1L100 16L100 32Z",
		running: "M50 1L100 16",
	});
	assert.deepEqual(sparklinePath([0, 0], 100, 32).running, "M0 31L100 31");
	assert.deepEqual(sparklinePath([3], 100, 32), { line: "", area: "", running: "" });
});

test("counts change in percent, rates in points, and by the difference after a figure below zero", () => {
	for (const [now, before, kind, told] of [
		[112, 100, "count", "up 12 percent"],
		[97, 100, "money", "down -3 percent"],
		[60, 50, "rate", "up 10 points"],
		[0, 4, "count", "down -100 percent"],
		[120, -80, "money", "up 200 difference"],
		[-100, -80, "money", "down -20 difference"],
		[-80, -80, "money", "same 0 difference"],
		[0, -80, "money", "up 80 difference"],
		[-80, 0, "money", "down -80 difference"],
		[-80, 40, "money", "down -300 percent"],
	] as const) {
		const { state, by, unit } = changeOf(now, before, kind);
		assert.equal([state, by, unit].join(" "), told);
	}
	const states = [
		changeOf(1004, 1000, "count"),
		changeOf(1, 0, "count"),
		changeOf(0, 0, "count"),
		changeOf(0, 0, "rate"),
	];
	const found = states.map(({ state }) => state);
	assert.deepEqual(found, ["same", "new", "none", "none"]);
});
