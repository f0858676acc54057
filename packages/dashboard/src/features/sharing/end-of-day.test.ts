import assert from "node:assert/strict";
import { test } from "node:test";
import { dayOfEnd, endOfDay } from "./end-of-day.ts";

test("a link lasts until its last day is over, and is edited with that day", () => {
	assert.equal(dayOfEnd(endOfDay("2026-12-24")), "2026-12-24");
	assert.equal(dayOfEnd(endOfDay("2026-03-29")), "2026-03-29");
	assert.equal(dayOfEnd(null), "");
	assert.ok(Date.parse(endOfDay("2026-12-24")) - Date.parse(endOfDay("2026-12-23")) >= 82_800_000);
});
