import assert from "node:assert/strict";
import { test } from "node:test";
import { choices, firstKept, isShorter } from "./retention.ts";

test("the first day that is kept is the same day so many months ago, or the last one of a shorter month", () => {
	assert.equal(firstKept("2026-11-22", 1), "2026-10-22");
	assert.equal(firstKept("2026-11-22", 25), "2024-10-22");
	assert.equal(firstKept("2026-03-31", 1), "2026-02-28");
	assert.equal(firstKept("2028-03-31", 1), "2028-02-29");
	assert.equal(firstKept("2026-01-31", 2), "2025-11-30");
});

test("a time that was chosen elsewhere is among the choices, and a shorter time is known from a longer one", () => {
	assert.ok(choices(7).includes(7));
	const found = [isShorter(12, null), isShorter(12, 24), isShorter(24, 12), isShorter(null, 12), isShorter(12, 12)];
	assert.deepEqual(found, [true, true, false, false, false]);
});
