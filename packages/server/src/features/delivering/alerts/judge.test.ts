import assert from "node:assert/strict";
import { test } from "node:test";
import { type Judging, judge, type Reading } from "./judge.ts";

const rule = (fields: Partial<Judging> = {}): Judging => ({
	alert_type: "custom",
	condition_type: "percentage_change",
	threshold_value: 50,
	threshold_direction: "both",
	...fields,
});
const reading = (value: number, fields: Partial<Reading> = {}): Reading => ({
	value,
	before: undefined,
	baseline: [10, 10, 10],
	isRunning: true,
	...fields,
});
const said = (judging: Judging, read: Reading) => {
	const { fires, severity } = judge(judging, read);
	return fires === undefined ? "too little" : fires ? severity : "calm";
};

const cases: readonly (readonly [title: string, Judging, Reading, string])[] = [
	["up to the threshold", rule(), reading(15), "warning"],
	["just below it", rule(), reading(14.99), "calm"],
	["down to it", rule(), reading(5), "warning"],
	["twice the threshold", rule(), reading(20), "critical"],
	["a drop of nearly all, twice the threshold", rule(), reading(0), "critical"],
	[
		"further down, from a baseline of refunds",
		rule({ threshold_direction: "increase" }),
		reading(-20, { baseline: [-10, -10, -10] }),
		"calm",
	],
	[
		"up, from a baseline of refunds",
		rule({ threshold_direction: "increase" }),
		reading(-2.5, { baseline: [-10, -10, -10] }),
		"calm",
	],
	["up where only down counts", rule({ threshold_direction: "decrease" }), reading(30), "calm"],
	["down where only up counts", rule({ threshold_direction: "increase" }), reading(0), "calm"],
	["a spike rule and a drop", rule({ alert_type: "traffic_spike" }), reading(0), "calm"],
	["a drop rule and a spike", rule({ alert_type: "traffic_drop" }), reading(30), "calm"],
	[
		"a drop rule that is told to look up",
		rule({ alert_type: "traffic_drop", threshold_direction: "increase" }),
		reading(30),
		"critical",
	],
	["two windows are too few", rule(), reading(99, { baseline: [10, 10] }), "too little"],
	["a mean of nothing", rule(), reading(99, { baseline: [0, 0, 0] }), "calm"],
	[
		"at an absolute threshold",
		rule({ condition_type: "absolute_threshold" }),
		reading(50, { baseline: [] }),
		"warning",
	],
	["below it", rule({ condition_type: "absolute_threshold" }), reading(49), "calm"],
	["at twice", rule({ condition_type: "absolute_threshold" }), reading(100), "critical"],
	["down to an absolute threshold", absolute("decrease", 50), reading(50), "warning"],
	["down to half of it", absolute("decrease", 50), reading(25), "critical"],
	["above it", absolute("decrease", 50), reading(51), "calm"],
	["silence", absolute("decrease", 50), reading(0), "critical"],
	["more refunds than sales", absolute("decrease", 50), reading(-10), "critical"],
	["refunds alone, at a threshold of nothing", absolute("decrease", 0), reading(-1), "critical"],
	["silence at a threshold of nothing", absolute("decrease", 0), reading(0), "warning"],
	["somebody at a threshold of nothing", absolute("decrease", 0), reading(1), "calm"],
	["silence before the first hit", absolute("decrease", 50), reading(0, { isRunning: false }), "too little"],
	["three deviations", deviations(3), reading(16, { baseline: [8, 10, 12] }), "warning"],
	["a little less", deviations(3), reading(15.9, { baseline: [8, 10, 12] }), "calm"],
	["six below", deviations(3), reading(-2, { baseline: [8, 10, 12] }), "critical"],
	["no deviation", deviations(3), reading(99), "calm"],
	["two windows have no deviation worth the name", deviations(3), reading(99, { baseline: [8, 12] }), "too little"],
	[
		"half more than just before",
		rule({ condition_type: "rate_of_change" }),
		reading(15, { before: 10, baseline: [] }),
		"warning",
	],
	["nothing just before", rule({ condition_type: "rate_of_change" }), reading(15, { before: 0 }), "too little"],
];

function absolute(direction: Judging["threshold_direction"], threshold: number): Judging {
	return rule({ condition_type: "absolute_threshold", threshold_direction: direction, threshold_value: threshold });
}
function deviations(threshold: number): Judging {
	return rule({ condition_type: "std_deviation", threshold_value: threshold });
}

for (const [title, judging, read, expected] of cases) {
	test(`${title}: ${expected}`, () => assert.equal(said(judging, read), expected));
}

test("what is told beside: mean, what was expected, change in percent, two decimals", () => {
	assert.deepEqual(judge(rule(), reading(11, { baseline: [7, 7, 8] })), {
		fires: true,
		severity: "warning",
		baseline: 7.33,
		expected: 7.33,
		change: 50,
	});
	assert.deepEqual(judge(absolute("increase", 20), reading(3)), {
		fires: false,
		severity: "info",
		baseline: null,
		expected: 20,
		change: null,
	});
});
