import assert from "node:assert/strict";
import test from "node:test";
import { barOf, type Cause, type Dimension, type Explanation, mainCauses } from "./causes.ts";

const row = (value: string, now: number, before: number): Cause => ({
	value,
	now,
	before,
	change: now - before,
	share: 0,
});
const dimension = (name: Dimension["name"], explained: number, ...rows: Cause[]): Dimension => ({
	name,
	explained,
	rows,
});
const explanation = (now: number, before: number, ...dimensions: Dimension[]): Explanation => ({
	total: { now, before, change: now - before },
	dimensions,
});

test("the dimension in which one value moved alone tells why", () => {
	// All devices grew by a tenth, as everything did; the growth came from one source.
	const why = explanation(
		1_100,
		1_000,
		dimension("device_type", 100, row("mobile", 660, 600), row("desktop", 440, 400)),
		dimension("utm_source", 100, row("news.example", 150, 50), row("google", 900, 900), row("bing", 50, 50)),
	);
	assert.deepEqual(mainCauses(why), { name: "utm_source", rows: [row("news.example", 150, 50)], explained: 100 });
});

test("a value that fell alone tells why, however little each of the others deviates", () => {
	const others = [..."abcdefghi"].map((value) => row(value, 100, 100));
	const devices = dimension("device_type", 100, row("mobile", 480, 500), row("desktop", 420, 500));
	const why = explanation(900, 1_000, devices, dimension("utm_source", 100, row("news.example", 0, 100), ...others));
	assert.equal(mainCauses(why)?.rows[0]?.value, "news.example");
});

test("the chosen values explain their part of the whole change", () => {
	const rows = [row("a", 60, 0), row("b", 0, 30), row("c", 10, 0)];
	const why = explanation(70, 30, dimension("utm_campaign", 80, ...rows));
	// 90 of the 100 that are listed, which are 80 % of all.
	assert.equal(mainCauses(why, 2)?.explained, 72);
});

test("all values of a dimension together, hits without a value, and what did not move explain nothing", () => {
	const causes = (...all: readonly Dimension[]) =>
		mainCauses(explanation(30, 20, ...all))?.rows.map(({ value }) => value);
	assert.deepEqual(causes(dimension("device_type", 100, row("mobile", 22, 13), row("desktop", 8, 7))), ["mobile"]);
	assert.deepEqual(causes(dimension("utm_term", 100, row("", 27, 18), row("shoes", 3, 2))), ["shoes"]);
	assert.equal(mainCauses(explanation(10, 10, dimension("os", 0, row("iOS", 10, 10)))), undefined);
	assert.equal(mainCauses(explanation(0, 0)), undefined);
});

test("bars are as long as their part of the longest one", () => {
	const sources = dimension("utm_source", 100, row("a", 100, 20), row("b", 0, 40));
	const found = sources.rows.map((cause) => barOf(cause, sources));
	assert.deepEqual(found, [1, -0.5]);
});
