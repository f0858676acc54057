import assert from "node:assert/strict";
import { test } from "node:test";
import { jobsOnBothEngines } from "../../../test/support/job-stores.ts";
import { systemClock } from "../lib/clock.ts";
import { JobFailure } from "./job-failure.ts";
import { Pause } from "./job-runner.ts";

jobsOnBothEngines("jobs", (at) => {
	/** What the jobs of a kind were given, in the order in which one process does them. */
	function doneOf(kind: string): unknown[] {
		const done: unknown[] = [];
		at.one.jobs.register(kind, async (payload) => void done.push(payload));
		return done;
	}
	const enqueue = (kind: string, more: object = {}) => at.one.jobs.enqueue(at.one.metadata, { kind, ...more });

	test("a job is done once, not before its time, with its payload, which is not kept afterwards", async () => {
		const done = doneOf("greet");
		assert.equal(await enqueue("greet", { payload: { name: "Ann" }, runAt: at.store.clock.now() + 60_000 }), true);
		for (const [ms, runs] of [
			[59_999, 0],
			[1, 1],
			[0, 1],
		] as const) {
			at.store.clock.advance(ms);
			await at.one.jobs.runDue();
			assert.equal(done.length, runs);
		}
		assert.deepEqual(done, [{ name: "Ann" }]);
		const [row] = await at.store.rows();
		assert.deepEqual([row?.state, row?.due_at, row?.payload, row?.attempts], ["done", null, "null", 1]);
	});

	test("a job is done as soon as its transaction has committed, and never when it does not", async () => {
		const { metadata, jobs } = at.one;
		const { promise: kept, resolve } = Promise.withResolvers<unknown>();
		jobs.register("greet", async (payload) => resolve(payload));
		await assert.rejects(
			metadata.transaction().execute(async (trx) => {
				await jobs.enqueue(trx, { kind: "greet", payload: "undone" });
				throw new Error("changed my mind");
			}),
			/changed my mind/,
		);
		jobs.start();
		await metadata.transaction().execute((trx) => jobs.enqueue(trx, { kind: "greet", payload: "kept" }));
		assert.equal(await kept, "kept");
	});

	test("a key makes one job of its kind, also with two at once and after its end; one that is taken back is never done", async () => {
		const done = doneOf("greet");
		const job = { kind: "greet", payload: "a", uniqueKey: "a" };
		const stored = await Promise.all([
			at.one.jobs.enqueue(at.one.metadata, job),
			at.two.jobs.enqueue(at.two.metadata, job),
			enqueue("other", { uniqueKey: "a" }),
			enqueue("greet", { payload: "b", uniqueKey: "b" }),
		]);
		assert.deepEqual(stored.sort(), [false, true, true, true]);
		await at.one.jobs.withdraw(at.one.metadata, { kind: "greet", uniqueKey: "b" });
		await at.one.jobs.runDue();
		await at.one.jobs.withdraw(at.one.metadata, { kind: "greet", uniqueKey: "a" });
		assert.equal(await enqueue("greet", { uniqueKey: "a" }), false);
		await at.one.jobs.runDue();
		assert.deepEqual(done, ["a"]);
	});

	test("a failed job is tried again after 15 s, 1, 4, 16 and 60 minutes, and given up after its last attempt", async () => {
		const { clock, rows } = at.store;
		const waits: number[] = [];
		let last = clock.now();
		const failing = async () => {
			waits.push((clock.now() - last) / 1000);
			last = clock.now();
			throw new JobFailure("the receiver is closed");
		};
		at.one.jobs.register("fail", failing, { maxAttempts: 7 });
		await enqueue("fail");
		await at.one.jobs.runDue();
		for (let [row] = await rows(); row?.state === "pending"; [row] = await rows()) {
			assert.deepEqual([row.attempts, row.last_error], [waits.length, "the receiver is closed"]);
			clock.advance((row.due_at ?? 0) - clock.now() - 1);
			await at.one.jobs.runDue();
			assert.equal((await rows())[0]?.attempts, row.attempts, "not before its time");
			clock.advance(1);
			await at.one.jobs.runDue();
		}
		assert.deepEqual(waits, [0, 15, 60, 240, 960, 3600, 3600]);
		const failed = (await rows()).find((row) => row.kind === "fail");
		assert.deepEqual([failed?.state, failed?.attempts, failed?.due_at], ["failed", 7, null]);
		assert.equal(at.one.logLines.filter((line) => line.includes("A job failed and will be tried again")).length, 6);
		assert.equal(at.one.logLines.filter((line) => line.includes("A job was given up")).length, 1);
	});

	test("a job that cannot succeed is given up at once, its payload kept; of other errors nothing keeps the message", async () => {
		at.one.jobs.register("final", async () => {
			throw new JobFailure("the address does not exist", { isFinal: true });
		});
		at.one.jobs.register("other", async () => {
			throw Object.assign(new Error("password hunter2"), { code: "ECONNREFUSED", cause: new Error("ann@example.com") });
		});
		for (const kind of ["final", "other"]) await enqueue(kind, { payload: "sealed" });
		await at.one.jobs.runDue();
		const rows = await at.store.rows();
		const seen = rows.map(({ state, attempts, last_error, payload }) => [state, attempts, last_error, payload]);
		assert.deepEqual(seen, [
			["failed", 1, "the address does not exist", '"sealed"'],
			["pending", 1, "Error ECONNREFUSED < Error", '"sealed"'],
		]);
		assert.doesNotMatch(at.one.logLines.join("\n"), /hunter2|ann@example|sealed/);
	});

	test("a kind has one handler; jobs of a kind that nobody knows wait for it, and are logged once", async () => {
		await enqueue("from the future");
		await at.one.jobs.runDue();
		await at.one.jobs.runDue();
		assert.equal((await at.store.rows())[0]?.state, "pending");
		assert.equal(at.one.logLines.filter((line) => line.includes("from the future")).length, 1);
		const done = doneOf("from the future");
		await at.one.jobs.runDue();
		assert.equal(done.length, 1);
		assert.throws(() => doneOf("from the future"), /a handler already/);
		assert.throws(() => at.one.jobs.schedule("from the future", "* * * * *", async () => {}), /a handler already/);
		assert.throws(() => at.one.jobs.schedule("nightly", "at night", async () => {}), /cron/i);
	});

	test("two processes do each job once, each of them no more at once than it may, oldest first", async () => {
		const done: number[][] = [[], []];
		const most = [0, 0];
		// Without it the first process may have done all jobs before the second one has a connection.
		const { promise: areBusy, resolve } = Promise.withResolvers<void>();
		for (const [process, { jobs }] of [at.one, at.two].entries()) {
			let busy = 0;
			const handler = async (payload: number) => {
				most[process] = Math.max(most[process] ?? 0, ++busy);
				done[process]?.push(payload);
				if (most.every((jobs) => jobs >= 3)) resolve();
				await areBusy;
				await new Promise(setImmediate);
				busy--;
			};
			jobs.register("each", handler, { concurrency: 3 });
		}
		const payloads = [...Array(60).keys()];
		await at.one.metadata.transaction().execute(async (trx) => {
			for (const payload of payloads) await at.one.jobs.enqueue(trx, { kind: "each", payload });
		});
		await Promise.all([at.one.jobs.runDue(), at.two.jobs.runDue()]);
		const inOrder = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b);
		assert.deepEqual(inOrder(done.flat()), payloads);
		for (const numbers of done) assert.deepEqual(numbers, inOrder(numbers));
		assert.deepEqual(most, [3, 3]);
		assert.ok((await at.store.rows()).every((row) => row.state === "done" && row.attempts === 1));
	});

	test("ended jobs are forgotten after a day, given-up ones after thirty", async () => {
		doneOf("good");
		at.one.jobs.register("bad", async () => {
			throw new JobFailure("no", { isFinal: true });
		});
		for (const kind of ["good", "bad"]) await enqueue(kind);
		await at.one.jobs.runDue();
		for (const [moment, kept] of [
			["2026-11-22T11:59:00Z", ["good", "bad"]],
			["2026-11-22T12:20:00Z", ["bad"]],
			["2026-12-21T11:59:00Z", ["bad"]],
			["2026-12-21T12:20:00Z", []],
		] as const) {
			at.store.clock.set(moment);
			await at.one.jobs.runDue();
			const kinds = (await at.store.rows()).map(({ kind }) => kind);
			const left = kinds.filter((kind) => kind !== "job-retention");
			assert.deepEqual(left, kept);
		}
	});

	/** What an hourly schedule of both processes does at a moment. */
	async function hourly() {
		const runs: string[] = [];
		const { clock } = at.store;
		for (const { jobs } of [at.one, at.two]) {
			jobs.schedule("hourly", "0 * * * *", async () => void runs.push(new Date(clock.now()).toISOString()));
		}
		const runAt = async (moment: string) => {
			clock.set(moment);
			await Promise.all([at.one.jobs.runDue(), at.two.jobs.runDue()]);
			return runs.splice(0);
		};
		await runAt("2026-11-21T12:00:00.000Z");
		return { runs, runAt };
	}

	test("of two processes one does what a tick asks for, at whatever clock", async () => {
		const { runAt } = await hourly();
		for (const [moment, does] of [
			["2026-11-21T12:59:59.999Z", false],
			["2026-11-21T13:00:00.000Z", true],
			["2026-11-21T13:00:30.000Z", false],
			["2026-11-21T14:00:01.000Z", true],
			// Set back by minutes it repeats no tick.
			["2026-11-21T13:58:00.000Z", false],
			["2026-11-21T14:00:00.000Z", false],
			["2026-11-21T15:00:00.000Z", true],
			// A jump ahead and back neither repeats nor silences it.
			["2036-01-01T00:30:00.000Z", true],
			["2026-11-21T15:30:00.000Z", false],
			["2026-11-21T16:00:00.000Z", true],
		] as const) {
			assert.deepEqual(await runAt(moment), does ? [moment] : [], moment);
		}
	});

	test("ticks that were missed are made up for once, also by a process that starts later; a new schedule makes up for none", async () => {
		const { runs, runAt } = await hourly();
		at.store.clock.set("2026-11-22T09:30:00Z");
		const three = await at.store.process();
		three.jobs.schedule("hourly", "0 * * * *", async () => void runs.push("three"));
		await three.jobs.runDue();
		assert.deepEqual(runs.splice(0), ["three"]);
		at.one.jobs.schedule("daily", "0 3 * * *", async () => void runs.push("daily"));
		assert.deepEqual(await runAt("2026-11-22T09:30:01Z"), []);
		assert.equal((await runAt("2026-11-22T10:00:00Z")).length, 1);
		assert.deepEqual((await runAt("2026-11-23T03:00:00Z")).sort(), ["2026-11-23T03:00:00.000Z", "daily"]);
	});
});

test("an idle store is looked at each second, and after a job was stored at once and four times within half a second", async () => {
	const waits: number[] = [];
	const pause = new Pause({ ...systemClock, sleep: async (ms) => void waits.push(ms) });
	await pause.rest();
	pause.hurry();
	for (let looks = 0; looks < 6; looks++) await pause.rest();
	pause.wake();
	await pause.rest();
	assert.deepEqual(waits, [1000, 5, 25, 100, 300, 1000]);
});
