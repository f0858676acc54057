import assert from "node:assert/strict";
import { test } from "node:test";
import { baselineWindows, currentWindow, lastFullMinute, windowBefore } from "./windows.ts";

const at = (moment: string) => Date.parse(moment);
const shown = (windows: readonly { from: number; until: number }[]) =>
	windows.map(({ from, until }) => [from, until].map((ms) => new Date(ms).toISOString().slice(5, 16)).join(" "));

test("the last full minute ends where the running one begins", () => {
	assert.equal(lastFullMinute(at("2026-11-21T12:00:59.999Z")), at("2026-11-21T12:00:00Z"));
	assert.equal(lastFullMinute(at("2026-11-21T12:00:00Z")), at("2026-11-21T12:00:00Z"));
});

test("the current window and the one just before it", () => {
	const until = at("2026-11-21T12:00:00Z");
	assert.deepEqual(shown([currentWindow("15m", until), windowBefore("6h", until)]), [
		"11-21T11:45 11-21T12:00",
		"11-21T00:00 11-21T06:00",
	]);
});

test("the same time of the site's day, whatever the clocks did in between", () => {
	// Clocks in Madrid went from 02:00 to 03:00 on 29 March 2026.
	const windows = baselineWindows(
		{ period: "7d", length: "1h", timezone: "Europe/Madrid" },
		at("2026-03-31T10:00:00+02:00"),
	);
	assert.equal(windows.length, 7);
	assert.deepEqual(shown(windows.slice(0, 3)), [
		"03-30T07:00 03-30T08:00",
		"03-29T07:00 03-29T08:00",
		"03-28T08:00 03-28T09:00",
	]);
});

test("a time of day that a change of the clocks left out is taken an hour later, and no window is shorter for it", () => {
	const zone = { period: "7d", length: "1h", timezone: "Europe/Madrid" } as const;
	const windows = baselineWindows(zone, at("2026-03-30T02:30:00+02:00"));
	assert.deepEqual(shown(windows.slice(0, 1)), ["03-29T00:30 03-29T01:30"]);
	assert.ok(windows.every(({ from, until }) => until - from === 3_600_000));
});

test("with 24h, windows lie back to back before the current one", () => {
	const until = at("2026-11-21T12:00:00Z");
	const of = (length: "15m" | "1h" | "6h") => baselineWindows({ period: "24h", length, timezone: "UTC" }, until);
	assert.deepEqual(shown(of("6h")), [
		"11-21T00:00 11-21T06:00",
		"11-20T18:00 11-21T00:00",
		"11-20T12:00 11-20T18:00",
		"11-20T06:00 11-20T12:00",
	]);
	assert.deepEqual([of("15m").length, of("1h").length], [96, 24]);
});
