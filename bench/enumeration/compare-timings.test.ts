import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom } from "../../packages/server/src/features/collecting/seed/random.ts";
import { compareTimings } from "./compare-timings.ts";

/** Timings as they are on a loaded machine: about 20 ms, a long tail upwards, and a pause now and then. */
function timings(seed: number, count: number, shiftMs = 0): number[] {
	const random = createRandom(seed);
	const next = () => random.below(1_000_000) / 1_000_000;
	return Array.from({ length: count }, () => {
		const pause = next() < 0.03 ? 40 * next() : 0;
		return 20 + shiftMs - 2 * Math.log(1 - next()) + pause;
	});
}

test("the same work measured twice differs in at most one of a thousand comparisons", () => {
	const alarms = Array.from({ length: 1000 }, (_, seed) =>
		compareTimings(timings(2 * seed, 60), timings(2 * seed + 1, 60)),
	).filter(({ differ }) => differ);
	assert.ok(alarms.length <= 1, String(alarms.length));
});

test("a difference of half the tolerance is no alarm, however often it is measured", () => {
	assert.equal(compareTimings(timings(1, 1000), timings(2, 1000, 0.25)).differ, false);
});

test("2 ms are seen in 200 tries, on either side", () => {
	for (let seed = 0; seed < 50; seed++) {
		const [first, second] = [timings(2 * seed, 200), timings(2 * seed + 1, 200, 2)];
		assert.equal(compareTimings(first, second).differ, true);
		assert.equal(compareTimings(second, first).differ, true);
	}
});

test("a password hash that is left out is seen in 20 tries", () => {
	assert.equal(compareTimings(timings(1, 20), timings(2, 20, -18)).differ, true);
});

test("the shift is the difference of the medians, untouched by a few pauses", () => {
	assert.equal(compareTimings([1, 2, 3, 900], [1, 2, 3, 4]).shiftMs, 0);
	assert.equal(compareTimings([5, 6, 7], [1, 2, 3]).shiftMs, 4);
	assert.ok(Math.abs(compareTimings(timings(3, 200, 2), timings(4, 200)).shiftMs - 2) < 0.6);
});
