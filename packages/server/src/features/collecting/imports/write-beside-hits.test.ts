import assert from "node:assert/strict";
import { test } from "node:test";
import { createVirtualClock } from "../../../../test/support/test-clock.ts";
import { writeBesideHits } from "./run-import.ts";

test("the more hits are taken during a write of 100 ms the longer an import rests after it, up to 700 ms", async () => {
	const rests = { 0: 0, 3: 12, 175: 700, 5000: 700 };
	for (const [hits, rest] of Object.entries(rests)) {
		const clock = createVirtualClock("2026-11-26T12:00:00.000Z");
		let taken = 40;
		let hasEnded = false;
		const written = writeBesideHits({ clock, hitsTaken: () => taken }, async () => {
			taken += Number(hits);
			clock.advance(100);
		}).then(() => {
			hasEnded = true;
		});
		await clock.pass(Math.max(0, rest - 1));
		assert.equal(hasEnded, rest === 0, `${hits} hits`);
		await clock.pass(1);
		await written;
		assert.equal(clock.monotonic(), 100 + Math.max(1, rest), `${hits} hits`);
	}
});
