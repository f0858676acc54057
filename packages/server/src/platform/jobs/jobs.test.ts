import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { type JobProcess, type JobStore, onBothJobStores } from "../../../test/support/job-stores.ts";
import { JobFailure } from "./job-failure.ts";

onBothJobStores("jobs", (open) => {
	let store: JobStore;
	let one: JobProcess;
	beforeEach(async () => {
		store = await open();
		one = await store.process();
	});
	afterEach(() => store.close());

	test("a job is done once, with its payload, which is not kept afterwards", async () => {
		const done: unknown[] = [];
		one.jobs.register("greet", async (payload, { attempt }) => void done.push([payload, attempt]));
		assert.equal(await one.jobs.enqueue(one.metadata, { kind: "greet", payload: { name: "Ann" } }), true);
		await one.jobs.runDue();
		await one.jobs.runDue();
		assert.deepEqual(done, [[{ name: "Ann" }, 1]]);
		const [row] = await store.rows();
		assert.deepEqual([row?.state, row?.due_at, row?.payload], ["done", null, "null"]);
	});

	test("a job exists when its transaction commits, and never when it does not", async () => {
		const done: unknown[] = [];
		one.jobs.register("greet", async (payload) => void done.push(payload));
		await assert.rejects(
			one.metadata.transaction().execute(async (trx) => {
				await one.jobs.enqueue(trx, { kind: "greet", payload: "undone" });
				throw new Error("changed my mind");
			}),
			/changed my mind/,
		);
		await one.metadata.transaction().execute((trx) => one.jobs.enqueue(trx, { kind: "greet", payload: "kept" }));
		await one.jobs.runDue();
		assert.deepEqual(done, ["kept"]);
	});

	test("a job that is taken back is never done; one that has ended stays known by its key", async () => {
		const done: unknown[] = [];
		one.jobs.register("greet", async (payload) => void done.push(payload));
		for (const uniqueKey of ["a", "b"]) {
			await one.jobs.enqueue(one.metadata, { kind: "greet", payload: uniqueKey, uniqueKey });
		}
		await one.jobs.withdraw(one.metadata, { kind: "greet", uniqueKey: "a" });
		await one.jobs.runDue();
		assert.deepEqual(done, ["b"]);
		await one.jobs.withdraw(one.metadata, { kind: "greet", uniqueKey: "b" });
		assert.equal(await one.jobs.enqueue(one.metadata, { kind: "greet", uniqueKey: "b" }), false);
	});

	test("a job for later waits for its time", async () => {
		let runs = 0;
		one.jobs.register("later", async () => void runs++);
		await one.jobs.enqueue(one.metadata, { kind: "later", runAt: store.clock.now() + 60_000 });
		store.clock.advance(59_999);
		await one.jobs.runDue();
		assert.equal(runs, 0);
		store.clock.advance(1);
		await one.jobs.runDue();
		assert.equal(runs, 1);
	});

	test("a key makes one job of its kind, even after that was done and with two at once", async () => {
		let runs = 0;
		const two = await store.process();
		one.jobs.register("count", async () => void runs++);
		const job = { kind: "count", uniqueKey: "2026-11-21" };
		const stored = await Promise.all([
			one.jobs.enqueue(one.metadata, job),
			two.jobs.enqueue(two.metadata, job),
			one.jobs.enqueue(one.metadata, { ...job, kind: "other" }),
		]);
		assert.deepEqual(stored.sort(), [false, true, true]);
		await one.jobs.runDue();
		assert.equal(await one.jobs.enqueue(one.metadata, job), false);
		await one.jobs.runDue();
		assert.equal(runs, 1);
	});

	test("a failed job is tried again after 15 s, 1, 4, 16 and 60 minutes, and given up after its last attempt", async () => {
		const waits: number[] = [];
		let last = store.clock.now();
		const failing = async () => {
			waits.push((store.clock.now() - last) / 1000);
			last = store.clock.now();
			throw new JobFailure("the receiver is closed");
		};
		one.jobs.register("fail", failing, { maxAttempts: 7 });
		await one.jobs.enqueue(one.metadata, { kind: "fail" });
		await one.jobs.runDue();
		for (let [row] = await store.rows(); row?.state === "pending"; [row] = await store.rows()) {
			assert.deepEqual([row.attempts, row.last_error], [waits.length, "the receiver is closed"]);
			store.clock.advance((row.due_at ?? 0) - store.clock.now() - 1);
			await one.jobs.runDue();
			assert.equal((await store.rows())[0]?.attempts, row.attempts, "not before its time");
			store.clock.advance(1);
			await one.jobs.runDue();
		}
		assert.deepEqual(waits, [0, 15, 60, 240, 960, 3600, 3600]);
		const failed = (await store.rows()).find((row) => row.kind === "fail");
		assert.deepEqual([failed?.state, failed?.attempts, failed?.due_at], ["failed", 7, null]);
		assert.equal(one.logLines.filter((line) => line.includes("A job failed and will be tried again")).length, 6);
		assert.equal(one.logLines.filter((line) => line.includes("A job was given up")).length, 1);
	});

	test("what cannot succeed is given up at once, its payload kept for another try", async () => {
		one.jobs.register("fail", async () => {
			throw new JobFailure("the address does not exist", { isFinal: true });
		});
		await one.jobs.enqueue(one.metadata, { kind: "fail", payload: [1] });
		await one.jobs.runDue();
		const [row] = await store.rows();
		assert.deepEqual(
			[row?.state, row?.attempts, row?.last_error, row?.payload],
			["failed", 1, "the address does not exist", "[1]"],
		);
	});

	test("of other errors neither the store nor the log keeps the message", async () => {
		one.jobs.register("fail", async () => {
			throw Object.assign(new Error("password hunter2"), { code: "ECONNREFUSED", cause: new Error("ann@example.com") });
		});
		await one.jobs.enqueue(one.metadata, { kind: "fail", payload: "sealed" });
		await one.jobs.runDue();
		assert.equal((await store.rows())[0]?.last_error, "Error ECONNREFUSED < Error");
		assert.doesNotMatch(one.logLines.join("\n"), /hunter2|ann@example|sealed/);
	});

	test("jobs of a kind that nobody knows wait, and are logged once", async () => {
		await one.jobs.enqueue(one.metadata, { kind: "from the future" });
		await one.jobs.runDue();
		await one.jobs.runDue();
		assert.equal((await store.rows())[0]?.state, "pending");
		assert.equal(one.logLines.filter((line) => line.includes("from the future")).length, 1);
		let runs = 0;
		one.jobs.register("from the future", async () => void runs++);
		await one.jobs.runDue();
		assert.equal(runs, 1);
	});

	test("a kind has one handler", () => {
		one.jobs.register("greet", async () => {});
		assert.throws(() => one.jobs.register("greet", async () => {}), /a handler already/);
		assert.throws(() => one.jobs.schedule("greet", "* * * * *", async () => {}), /a handler already/);
		assert.throws(() => one.jobs.schedule("nightly", "at night", async () => {}), /cron/i);
	});

	test("a process does no more jobs of a kind at once than it may, oldest first", async () => {
		let [busy, most] = [0, 0];
		const order: unknown[] = [];
		const handler = async (payload: number) => {
			order.push(payload);
			most = Math.max(most, ++busy);
			await new Promise(setImmediate);
			busy--;
		};
		one.jobs.register("slow", handler, { concurrency: 3 });
		for (let payload = 0; payload < 20; payload++) await one.jobs.enqueue(one.metadata, { kind: "slow", payload });
		await one.jobs.runDue();
		assert.equal(most, 3);
		assert.deepEqual(order, [...Array(20).keys()]);
	});

	test("two processes on one store do each job once", async () => {
		const two = await store.process();
		const done: string[] = [];
		for (const { jobs } of [one, two]) {
			const handler = async (payload: number) => {
				await new Promise(setImmediate);
				done.push(String(payload));
			};
			jobs.register("each", handler, { concurrency: 5 });
		}
		await one.metadata.transaction().execute(async (trx) => {
			for (let payload = 0; payload < 100; payload++) await one.jobs.enqueue(trx, { kind: "each", payload });
		});
		await Promise.all([one.jobs.runDue(), two.jobs.runDue()]);
		assert.equal(done.length, 100);
		assert.equal(new Set(done).size, 100);
		assert.ok((await store.rows()).every((row) => row.state === "done" && row.attempts === 1));
	});

	test("ended jobs are forgotten after a day, given-up ones after thirty", async () => {
		one.jobs.register("good", async () => {});
		one.jobs.register("bad", async () => {
			throw new JobFailure("no", { isFinal: true });
		});
		await one.jobs.enqueue(one.metadata, { kind: "good" });
		await one.jobs.enqueue(one.metadata, { kind: "bad" });
		await one.jobs.runDue();
		const kept = async () => {
			await one.jobs.runDue();
			return (await store.rows()).map((row) => row.kind).filter((kind) => kind !== "job-retention");
		};
		store.clock.set("2026-11-22T11:59:00Z");
		assert.deepEqual(await kept(), ["good", "bad"]);
		store.clock.set("2026-11-22T12:20:00Z");
		assert.deepEqual(await kept(), ["bad"]);
		store.clock.set("2026-12-21T11:59:00Z");
		assert.deepEqual(await kept(), ["bad"]);
		store.clock.set("2026-12-21T12:20:00Z");
		assert.deepEqual(await kept(), []);
	});
});
