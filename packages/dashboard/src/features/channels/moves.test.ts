import assert from "node:assert/strict";
import { test } from "node:test";
import { movesOf, sourcesOf } from "./moves.ts";

const touch = (source: string, visits: number) => ({ source, medium: "referral", campaign: "", visits });

test("visits that get another channel are counted by where they go from and to", () => {
	const touches = [touch("acme", 5), touch("google", 40), touch("forum", 2), touch("other", 7)];
	const before = ["Referral", "Organic Search", "Referral", "Unassigned"];
	const after = ["Partners", "Organic Search", "Partners", "Partners"];
	assert.deepEqual(
		movesOf(touches, before, after).map(({ from, to, visits, touches: moved }) => [from, to, visits, moved.length]),
		[
			["Referral", "Partners", 7, 2],
			["Unassigned", "Partners", 7, 1],
		],
	);
	assert.deepEqual(movesOf(touches, before, before), []);
});

test("sources are named once, whatever their campaigns", () => {
	const named = [touch("acme", 5), touch("forum", 6), { ...touch("acme", 2), campaign: "autumn" }];
	assert.deepEqual(sourcesOf(named), [
		{ source: "acme", medium: "referral", visits: 7 },
		{ source: "forum", medium: "referral", visits: 6 },
	]);
});
