import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { type JobProcess, type JobStore, onBothJobStores } from "../../../test/support/job-stores.ts";

onBothJobStores("schedules", (open) => {
	let store: JobStore;
	let one: JobProcess;
	let two: JobProcess;
	let runs: string[];
	beforeEach(async () => {
		store = await open();
		runs = [];
		[one, two] = [await store.process(), await store.process()];
		for (const { jobs } of [one, two]) {
			jobs.schedule("hourly", "0 * * * *", async () => void runs.push(new Date(store.clock.now()).toISOString()));
		}
		await runBoth();
	});
	afterEach(() => store.close());
	const runBoth = () => Promise.all([one.jobs.runDue(), two.jobs.runDue()]);
	const at = async (moment: string) => {
		store.clock.set(moment);
		await runBoth();
		return runs.splice(0);
	};

	test("of two processes one does what a tick asks for", async () => {
		assert.deepEqual(await at("2026-11-21T12:59:59.999Z"), []);
		assert.deepEqual(await at("2026-11-21T13:00:00Z"), ["2026-11-21T13:00:00.000Z"]);
		assert.deepEqual(await at("2026-11-21T13:00:30Z"), []);
		assert.deepEqual(await at("2026-11-21T14:00:01Z"), ["2026-11-21T14:00:01.000Z"]);
	});

	test("ticks that were missed are made up for once, also by a process that starts later", async () => {
		store.clock.set("2026-11-22T09:30:00Z");
		const three = await store.process();
		three.jobs.schedule("hourly", "0 * * * *", async () => void runs.push("three"));
		await three.jobs.runDue();
		assert.deepEqual(runs.splice(0), ["three"]);
		assert.deepEqual(await at("2026-11-22T09:30:01Z"), []);
		assert.equal((await at("2026-11-22T10:00:00Z")).length, 1);
	});

	test("a schedule that is new does not make up for the time before it", async () => {
		one.jobs.schedule("daily", "0 3 * * *", async () => void runs.push("daily"));
		assert.deepEqual(await at("2026-11-21T12:00:01Z"), []);
		await at("2026-11-22T02:59:00Z");
		assert.deepEqual((await at("2026-11-22T03:00:00Z")).sort(), ["2026-11-22T03:00:00.000Z", "daily"]);
	});

	test("a clock that jumps ahead and is set right again neither repeats nor silences a schedule", async () => {
		assert.equal((await at("2036-01-01T00:30:00Z")).length, 1);
		assert.deepEqual(await at("2026-11-21T12:30:00Z"), []);
		assert.deepEqual(await at("2026-11-21T13:00:00Z"), ["2026-11-21T13:00:00.000Z"]);
	});

	test("a clock that is set back by minutes does not repeat a tick", async () => {
		assert.equal((await at("2026-11-21T13:00:02Z")).length, 1);
		assert.deepEqual(await at("2026-11-21T12:58:00Z"), []);
		assert.deepEqual(await at("2026-11-21T13:00:01Z"), []);
		assert.equal((await at("2026-11-21T14:00:00Z")).length, 1);
	});
});
