import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { falseAlarms, nearestSize, sizes, triedLike } from "./false-alarms.ts";
import { ruleBody } from "./rule-body.ts";

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

test("a form becomes a rule: with a metric of its own, filters of hits, and a day as the baseline of refused hits", () => {
	const usual = { condition_type: "absolute_threshold", baseline_period: "30d", threshold_direction: "decrease" };
	const body = (fields: Readonly<Record<string, string>>) => {
		const form = new FormData();
		for (const [name, value] of Object.entries({ ...usual, ...fields })) form.append(name, value);
		const { metric, custom_condition, threshold_direction, baseline_period } = ruleBody(form, [
			"os:eq:iOS",
			"hour:eq:9",
		]);
		return [metric, custom_condition, threshold_direction, baseline_period];
	};
	const filters = "os:eq:iOS,hour:eq:9";
	const sales = { alert_type: "custom", figure_custom: "revenue", "custom_condition.conversion_type": " order " };
	const own = { metric: "revenue", conversion_type: "order", filters };
	assert.deepEqual(body(sales), ["custom", own, "decrease", "30d"]);
	assert.deepEqual(body({ alert_type: "error_rate" }), ["entrances", null, "decrease", "24h"]);
	const drop = { alert_type: "traffic_drop", figure_traffic_drop: "pageviews" };
	assert.deepEqual(body(drop), ["pageviews", { filters }, "both", "30d"]);
});
