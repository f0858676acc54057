import assert from "node:assert/strict";
import { test } from "node:test";
import { type Judging, judge, type Reading } from "./judge.ts";
import { baselineWindows, currentWindow, lastFullMinute, windowBefore } from "./read-values.ts";

const rule = (fields: Partial<Judging> = {}): Judging => ({
	alert_type: "custom",
	condition_type: "percentage_change",
	threshold_value: 50,
	threshold_direction: "both",
	...fields,
});
const [up, down] = [rule({ threshold_direction: "increase" }), rule({ threshold_direction: "decrease" })];
const downTo = (threshold: number): Judging => ({
	...down,
	condition_type: "absolute_threshold",
	threshold_value: threshold,
});
const upTo = rule({ condition_type: "absolute_threshold" });
const deviations = rule({ condition_type: "std_deviation", threshold_value: 3 });
const rate = rule({ condition_type: "rate_of_change" });

const reading = (
	value: number,
	baseline: readonly number[] = [10, 10, 10],
	fields: Partial<Reading> = {},
): Reading => ({
	value,
	before: undefined,
	baseline,
	isRunning: true,
	...fields,
});
const refunds = [-10, -10, -10];
const uneven = [8, 10, 12];

const cases: readonly (readonly [title: string, Judging, Reading, outcome: string])[] = [
	["up to the threshold", rule(), reading(15), "warning"],
	["just below it", rule(), reading(14.99), "calm"],
	["down to it", rule(), reading(5), "warning"],
	["twice the threshold", rule(), reading(20), "critical"],
	["a drop of nearly all, twice the threshold", rule(), reading(0), "critical"],
	["further down, from a baseline of refunds", up, reading(-20, refunds), "calm"],
	["up, from a baseline of refunds", up, reading(-2.5, refunds), "calm"],
	["up where only down counts", down, reading(30), "calm"],
	["down where only up counts", up, reading(0), "calm"],
	["a spike rule and a drop", rule({ alert_type: "traffic_spike" }), reading(0), "calm"],
	["a drop rule and a spike", rule({ alert_type: "traffic_drop" }), reading(30), "calm"],
	["a drop rule that is told to look up", { ...up, alert_type: "traffic_drop" }, reading(30), "critical"],
	["two windows are too few", rule(), reading(99, [10, 10]), "too little"],
	["a mean of nothing", rule(), reading(99, [0, 0, 0]), "calm"],
	["at an absolute threshold", upTo, reading(50, []), "warning"],
	["below it", upTo, reading(49), "calm"],
	["at twice", upTo, reading(100), "critical"],
	["down to an absolute threshold", downTo(50), reading(50), "warning"],
	["down to half of it", downTo(50), reading(25), "critical"],
	["above it", downTo(50), reading(51), "calm"],
	["silence", downTo(50), reading(0), "critical"],
	["more refunds than sales", downTo(50), reading(-10), "critical"],
	["refunds alone, at a threshold of nothing", downTo(0), reading(-1), "critical"],
	["silence at a threshold of nothing", downTo(0), reading(0), "warning"],
	["somebody at a threshold of nothing", downTo(0), reading(1), "calm"],
	["silence before the first hit", downTo(50), reading(0, [], { isRunning: false }), "too little"],
	["three deviations", deviations, reading(16, uneven), "warning"],
	["a little less", deviations, reading(15.9, uneven), "calm"],
	["six below", deviations, reading(-2, uneven), "critical"],
	["no deviation", deviations, reading(99), "calm"],
	["two windows have no deviation worth the name", deviations, reading(99, [8, 12]), "too little"],
	["half more than just before", rate, reading(15, [], { before: 10 }), "warning"],
	["nothing just before", rate, reading(15, [], { before: 0 }), "too little"],
];

test("a rule judges a reading: calm, a warning, critical, or too little data", () => {
	const said = (judging: Judging, read: Reading) => {
		const { fires, severity } = judge(judging, read);
		return fires === undefined ? "too little" : fires ? severity : "calm";
	};
	const expected = cases.map(([title, , , outcome]) => `${title}: ${outcome}`);
	assert.deepEqual(
		cases.map(([title, judging, read]) => `${title}: ${said(judging, read)}`),
		expected,
	);
});

test("a judgement carries mean, expected value and change in percent, with two decimals", () => {
	const beside = { baseline: 7.33, expected: 7.33, change: 50 };
	assert.deepEqual(judge(rule(), reading(11, [7, 7, 8])), { fires: true, severity: "warning", ...beside });
	const absolute = { baseline: null, expected: 50, change: null };
	assert.deepEqual(judge(upTo, reading(3)), { fires: false, severity: "info", ...absolute });
});

const at = (moment: string) => Date.parse(moment);
const shown = (windows: readonly { from: number; until: number }[]) =>
	windows.map(({ from, until }) => [from, until].map((ms) => new Date(ms).toISOString().slice(5, 16)).join(" "));
const NOON = at("2026-11-21T12:00:00Z");

test("windows end where the running minute begins; the one before lies back to back, as do all with 24h", () => {
	assert.deepEqual(["2026-11-21T12:00:59.999Z", "2026-11-21T12:00:00Z"].map(at).map(lastFullMinute), [NOON, NOON]);
	assert.deepEqual(shown([currentWindow("15m", NOON), windowBefore("6h", NOON)]), [
		"11-21T11:45 11-21T12:00",
		"11-21T00:00 11-21T06:00",
	]);
	const of = (length: "15m" | "1h" | "6h") => baselineWindows({ period: "24h", length, timezone: "UTC" }, NOON);
	const last = ["11-21T00:00 11-21T06:00", "11-20T18:00 11-21T00:00"];
	assert.deepEqual(shown(of("6h")), [...last, "11-20T12:00 11-20T18:00", "11-20T06:00 11-20T12:00"]);
	assert.deepEqual([of("15m").length, of("1h").length], [96, 24]);
});

test("the same time of the site's day, whatever the clocks did; what they left out is taken an hour later, as long", () => {
	// Clocks in Madrid went from 02:00 to 03:00 on 29 March 2026.
	const madrid = { period: "7d", length: "1h", timezone: "Europe/Madrid" } as const;
	const windows = baselineWindows(madrid, at("2026-03-31T10:00:00+02:00"));
	assert.equal(windows.length, 7);
	const days = ["03-30T07:00 03-30T08:00", "03-29T07:00 03-29T08:00", "03-28T08:00 03-28T09:00"];
	assert.deepEqual(shown(windows.slice(0, 3)), days);
	const late = baselineWindows(madrid, at("2026-03-30T02:30:00+02:00"));
	assert.deepEqual(shown(late.slice(0, 1)), ["03-29T00:30 03-29T01:30"]);
	assert.ok(late.every(({ from, until }) => until - from === 3_600_000));
});
