import assert from "node:assert/strict";
import test from "node:test";
import { linear, nearestPoint } from "./scale.ts";
import { pointTicks, sharedTicks, valueTicks } from "./ticks.ts";

test("values of an axis are 1, 2 or 5 times a power of ten apart and cover the largest", () => {
	assert.deepEqual(valueTicks(0, 1_023), [0, 500, 1_000, 1_500]);
	assert.deepEqual(valueTicks(0, 800), [0, 200, 400, 600, 800]);
	assert.deepEqual(valueTicks(3, 37), [0, 10, 20, 30, 40]);
	assert.deepEqual(valueTicks(0, 0.31), [0, 0.1, 0.2, 0.3, 0.4]);
});

test("refunds draw the axis below zero", () => {
	assert.deepEqual(valueTicks(-120, 180), [-200, -100, 0, 100, 200]);
});

test("what comes in whole numbers has no half tick", () => {
	assert.deepEqual(valueTicks(0, 2, { whole: true }), [0, 1, 2]);
	assert.deepEqual(valueTicks(0, 2), [0, 0.5, 1, 1.5, 2]);
});

test("an axis of nothing is still an axis", () => {
	assert.deepEqual(valueTicks(0, 0), [0, 1]);
});

test("a second axis has as many round steps as the first one", () => {
	assert.deepEqual(sharedTicks(3_700, 3), [0, 2_000, 4_000, 6_000]);
	assert.deepEqual(sharedTicks(2, 4, true), [0, 1, 2, 3, 4]);
	assert.deepEqual(sharedTicks(0, 4), [0]);
});

test("dates stand at even distances, the first and the last among them", () => {
	assert.deepEqual(pointTicks(30, 3), [0, 15, 29]);
	assert.deepEqual(pointTicks(7, 20), [0, 1, 2, 3, 4, 5, 6]);
	assert.deepEqual(pointTicks(1, 3), [0]);
	assert.deepEqual(pointTicks(0, 3), []);
});

test("a scale maps both ends of a range onto both ends of the drawing", () => {
	const scale = linear([0, 200], [100, 0]);
	assert.deepEqual([0, 50, 200].map(scale), [100, 75, 0]);
	assert.equal(linear([0, 0], [100, 0])(0), 100);
});

test("a pointer chooses the point that is nearest, and never one outside", () => {
	assert.deepEqual(
		[-0.2, 0, 0.24, 0.26, 1, 7].map((share) => nearestPoint(share, 3)),
		[0, 0, 0, 1, 2, 2],
	);
});
