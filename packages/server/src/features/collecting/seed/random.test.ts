import assert from "node:assert/strict";
import { test } from "node:test";
import { byRank, createRandom, weighted } from "./random.ts";

test("the same seed gives the same numbers, another seed others", () => {
	const take = (seed: number) => {
		const random = createRandom(seed);
		return [random.below(1000), random.below(1000), random.below(1000), random.below(1000)];
	};
	assert.deepEqual(take(1), take(1));
	assert.notDeepEqual(take(1), take(2));
	assert.notDeepEqual(take(1), take(1 + 2 ** 32));
});

test("numbers are spread evenly", () => {
	const random = createRandom(3);
	const counts = new Array<number>(10).fill(0);
	for (let draw = 0; draw < 100_000; draw++) {
		const index = random.below(10);
		counts[index] = (counts[index] ?? 0) + 1;
	}
	for (const count of counts) assert.ok(Math.abs(count - 10_000) < 400, `${counts}`);
});

test("entries are drawn by their weights", () => {
	const random = createRandom(4);
	const draw = weighted([
		["often", 7],
		["seldom", 2],
		["rarely", 1],
		["never", 0],
	]);
	const counts = new Map<string, number>();
	for (let times = 0; times < 100_000; times++) {
		const entry = draw(random);
		counts.set(entry, (counts.get(entry) ?? 0) + 1);
	}
	assert.equal(counts.get("never"), undefined);
	assert.ok(Math.abs((counts.get("often") ?? 0) - 70_000) < 1_000);
	assert.ok(Math.abs((counts.get("rarely") ?? 0) - 10_000) < 600);
});

test("weights by rank fall", () => {
	assert.deepEqual(byRank(["a", "b", "c"]), [
		["a", 1 / 2],
		["b", 1 / 3],
		["c", 1 / 4],
	]);
});
