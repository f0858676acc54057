import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { falseAlarms, nearestSize, sizes, triedLike } from "./false-alarms.ts";

const docs = readFileSync(new URL("../../../../../docs/alerts.md", import.meta.url), "utf8");
const numbers = (line: string) =>
	line
		.split("|")
		.slice(2, -1)
		.map((cell) => Number(cell.replaceAll(",", "")));
const rowOf = (start: string) => numbers(docs.split("\n").find((line) => line.startsWith(`| ${start}`)) ?? "");

test("the table is the one of the documents", () => {
	assert.deepEqual(rowOf("Page views a day"), sizes);
	assert.deepEqual(rowOf("the default rule"), falseAlarms.spike);
	assert.deepEqual(rowOf("drop of 50 %"), falseAlarms.drop);
	assert.deepEqual(rowOf("spike of 50 %, `24h`"), falseAlarms.day);
	assert.deepEqual(rowOf("`std_deviation` 4"), falseAlarms.deviation);
});

test("a site is compared with the size that is nearest by its ratio", () => {
	assert.deepEqual([0, 240, 480, 500, 3_000, 4_000, 50_000, 5_000_000].map(nearestSize), [0, 0, 0, 1, 1, 2, 3, 3]);
});

test("only rules that are alike are told by the table", () => {
	const rule = { figure: "pageviews", direction: "both", threshold: 50, baseline: "7d" } as const;
	const shape = { ...rule, type: "traffic_drop", condition: "percentage_change", window: "1h" } as const;
	assert.equal(triedLike(shape), "drop");
	assert.equal(triedLike({ ...shape, type: "traffic_spike" }), "spike");
	assert.equal(triedLike({ ...shape, window: "24h" }), "day");
	assert.equal(triedLike({ ...shape, condition: "std_deviation", baseline: "30d" }), "deviation");
	assert.equal(triedLike({ ...shape, condition: "std_deviation" }), undefined);
	assert.equal(triedLike({ ...shape, condition: "absolute_threshold" }), undefined);
	assert.equal(triedLike({ ...shape, type: "conversion_change" }), undefined);
});
