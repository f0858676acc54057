import assert from "node:assert/strict";
import { test } from "node:test";
import { botsLeftOut } from "./bots-left-out.ts";
import { minutesOfDay } from "./minutes-of-day.ts";

const hits = { score_0: 85, score_1_30: 5, score_31_60: 4, score_61_80: 3, score_81_100: 3, total_hits: 100 };

test("hits above the threshold are left out", () => {
	assert.deepEqual(
		[0, 30, 60, 80, 100].map((threshold) => botsLeftOut(hits, threshold)),
		[15, 10, 6, 3, 0],
	);
});

test("a threshold inside a range of scores, or no hits, tell no share", () => {
	assert.equal(botsLeftOut(hits, 75), undefined);
	assert.equal(botsLeftOut({ ...hits, total_hits: 0 }, 80), undefined);
});

test("the day begins at midnight of the site's time zone", () => {
	assert.equal(minutesOfDay("Europe/Madrid", new Date("2026-11-22T00:10:00Z")), 70);
	assert.equal(minutesOfDay("America/New_York", new Date("2026-11-22T05:00:30Z")), 1);
});
