import assert from "node:assert/strict";
import { test } from "node:test";
import { createVirtualClock } from "../../../../test/support/test-clock.ts";
import { writeBesideHits } from "./write-beside-hits.ts";

/** Hits that are taken during a write of 100 ms, and how long the import rests after it. */
const rests = { none: [0, 0], few: [3, 12], "as many as are allowed for": [175, 700], many: [5_000, 700] } as const;

for (const [name, [hits, rest]] of Object.entries(rests)) {
	test(`after a write with ${name} (${hits}) of hits beside it an import rests ${rest} ms`, async () => {
		const clock = createVirtualClock("2026-11-26T12:00:00.000Z");
		let taken = 40;
		let hasEnded = false;
		const written = writeBesideHits({ clock, hitsTaken: () => taken }, async () => {
			taken += hits;
			clock.advance(100);
		}).then(() => {
			hasEnded = true;
		});
		await clock.pass(Math.max(0, rest - 1));
		assert.equal(hasEnded, rest === 0);
		await clock.pass(1);
		await written;
		assert.equal(clock.monotonic(), 100 + Math.max(1, rest));
	});
}
