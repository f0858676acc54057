import assert from "node:assert/strict";
import test from "node:test";
import { asChange, isRunning, stepped } from "./steps.ts";

const today = "2026-11-20"; // A Friday.
const custom = (from: string, to: string) => ({ period: "custom", from, to }) as const;

test("a step goes as many days back, and forward to the named period again", () => {
	assert.deepEqual(stepped({ period: "7d" }, -1, today), custom("2026-11-07", "2026-11-13"));
	assert.deepEqual(stepped(custom("2026-11-07", "2026-11-13"), 1, today), {
		period: "7d",
		from: undefined,
		to: undefined,
	});
	assert.equal(stepped({ period: "today" }, -1, today)?.period, "yesterday");
});

test("whole months, quarters and years stay whole", () => {
	assert.equal(stepped({ period: "this_month" }, -1, today)?.period, "last_month");
	assert.deepEqual(stepped({ period: "last_month" }, -1, today), custom("2026-09-01", "2026-09-30"));
	assert.deepEqual(stepped(custom("2026-01-01", "2026-03-31"), -1, today), custom("2025-10-01", "2025-12-31"));
	assert.equal(stepped({ period: "last_week" }, 1, today)?.period, "this_week");
});

test("no step leads into days to come", () => {
	assert.equal(stepped({ period: "30d" }, 1, today), undefined);
	assert.equal(stepped({ period: "this_month" }, 1, today), undefined);
	assert.deepEqual(stepped(custom("2026-11-11", "2026-11-15"), 1, today), custom("2026-11-16", "2026-11-20"));
	assert.deepEqual(stepped(custom("2026-11-10", "2026-11-17"), 1, today), custom("2026-11-13", "2026-11-20"));
});

test("days with a name get it, and only those that hold today still grow", () => {
	assert.equal(asChange({ from: "2026-10-01", to: "2026-10-31" }, today).period, "last_month");
	assert.equal(isRunning({ from: "2026-11-20", to: "2026-11-30" }, today), true);
	assert.equal(isRunning({ from: "2026-11-01", to: "2026-11-19" }, today), false);
});
