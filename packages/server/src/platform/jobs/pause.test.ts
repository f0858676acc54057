import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "../lib/clock.ts";
import { Pause } from "./pause.ts";

test("an idle store is looked at each second, and after a job was stored at once and four times within half a second", async () => {
	const waits: number[] = [];
	const pause = new Pause({ ...systemClock, sleep: async (ms) => void waits.push(ms) });
	await pause.rest();
	pause.hurry();
	for (let looks = 0; looks < 6; looks++) await pause.rest();
	pause.wake();
	await pause.rest();
	assert.deepEqual(waits, [1000, 5, 25, 100, 300, 1000]);
});
