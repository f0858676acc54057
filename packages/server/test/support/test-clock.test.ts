import assert from "node:assert/strict";
import { test } from "node:test";
import { createVirtualClock } from "./test-clock.ts";

const MOMENT = "2026-11-21T10:00:00.000Z";

test("advance runs what becomes due in the order of time, also what a timer starts, at the moment of each", () => {
	const clock = createVirtualClock(MOMENT);
	const told: string[] = [];
	const tell = (name: string) => () => void told.push(`${name} at ${clock.monotonic()}`);
	clock.after(30, tell("late"));
	clock.after(20, tell("first of two"));
	clock.after(20, tell("second of two"));
	clock.after(10, () => clock.after(5, tell("started")));
	clock.after(10, tell("cancelled"))();
	const stop = clock.every(12, tell("again"));
	clock.advance(29);
	assert.deepEqual(told, ["again at 12", "started at 15", "first of two at 20", "second of two at 20", "again at 24"]);
	assert.equal(new Date(clock.now()).toISOString(), "2026-11-21T10:00:00.029Z");
	stop();
	clock.advance(1000);
	assert.deepEqual(told.slice(5), ["late at 30"]);
});

test("an interval that its own run stops does not come again", () => {
	const clock = createVirtualClock(MOMENT);
	let runs = 0;
	const stop = clock.every(10, () => {
		runs++;
		stop();
	});
	clock.advance(100);
	assert.equal(runs, 1);
});

test("a sleep resolves at its time, and rejects with the reason of its signal before", async () => {
	const clock = createVirtualClock(MOMENT);
	const abort = new AbortController();
	const slept = clock.sleep(10);
	const woken = clock.sleep(10, abort.signal);
	abort.abort(new Error("enough"));
	await assert.rejects(woken, /enough/);
	await assert.rejects(clock.sleep(10, abort.signal), /enough/);
	clock.advance(10);
	await slept;
});

test("a deadline aborts as a timeout at its time, or with its signal", () => {
	const clock = createVirtualClock(MOMENT);
	const abort = new AbortController();
	const [alone, beside] = [clock.deadline(10), clock.deadline(10, abort.signal)];
	abort.abort("enough");
	assert.deepEqual([alone.aborted, beside.reason], [false, "enough"]);
	clock.advance(10);
	assert.equal((alone.reason as Error).name, "TimeoutError");
});

test("pass runs timers that are started by what earlier ones let go on", async () => {
	const clock = createVirtualClock(MOMENT);
	let turns = 0;
	const loop = async () => {
		for (; turns < 5; turns++) await clock.sleep(10);
	};
	void loop();
	await clock.pass(35);
	assert.equal(turns, 3);
	await clock.pass(15);
	assert.equal(turns, 5);
});

test("to set the clock moves the moment, and neither timers nor durations", () => {
	const clock = createVirtualClock(MOMENT);
	let runs = 0;
	clock.after(10, () => runs++);
	clock.set("2027-01-01T00:00:00Z");
	assert.deepEqual([runs, clock.monotonic(), clock.now()], [0, 0, Date.parse("2027-01-01T00:00:00Z")]);
});
