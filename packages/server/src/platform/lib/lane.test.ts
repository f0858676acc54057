import assert from "node:assert/strict";
import { test } from "node:test";
import { createLane } from "./lane.ts";

test("no more tasks run at a time than the lane is wide, and the others follow in order", async () => {
	const lane = createLane(2);
	const started: number[] = [];
	const ends: (() => void)[] = [];
	const tasks = [0, 1, 2, 3].map((number) =>
		lane.run(() => {
			started.push(number);
			return new Promise<void>((resolve) => ends.push(resolve));
		}),
	);
	await Promise.resolve();
	assert.deepEqual(started, [0, 1]);
	ends[1]?.();
	await tasks[1];
	assert.deepEqual(started, [0, 1, 2]);
	ends[0]?.();
	ends[2]?.();
	await tasks[2];
	assert.deepEqual(started, [0, 1, 2, 3]);
	ends[3]?.();
	await Promise.all(tasks);
});

test("a task that fails gives its place back", async () => {
	const lane = createLane(1);
	await assert.rejects(lane.run(() => Promise.reject(new Error("no"))));
	assert.equal(await lane.run(async () => 7), 7);
});

test("a waiting task whose signal aborts never runs", async () => {
	const lane = createLane(1);
	let end: () => void = () => undefined;
	const first = lane.run(() => new Promise<void>((resolve) => (end = resolve)));
	const gone = new AbortController();
	let ran = false;
	const second = lane.run(async () => (ran = true), gone.signal);
	gone.abort(new Error("gone"));
	await assert.rejects(second, /gone/);
	end();
	await first;
	assert.equal(await lane.run(async () => 1), 1);
	assert.equal(ran, false);
});
