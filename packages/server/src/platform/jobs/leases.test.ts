import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { sql } from "kysely";
import { type JobProcess, type JobStore, onBothJobStores } from "../../../test/support/job-stores.ts";
import { until } from "../../../test/support/until.ts";
import type { JobContext } from "./jobs.ts";

const stopped = ({ signal }: JobContext): Promise<void> =>
	new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("stopped"))));

onBothJobStores("running jobs", (open) => {
	let store: JobStore;
	let one: JobProcess;
	let two: JobProcess;
	beforeEach(async () => {
		store = await open();
		[one, two] = [await store.process(), await store.process()];
	});
	afterEach(() => store.close());
	const enqueue = (kind = "work") => one.jobs.enqueue(one.metadata, { kind });
	const row = async () => (await store.rows()).find(({ kind }) => kind === "work");

	test("a process that hangs loses its job when the lease ends, and its late end does not count", async () => {
		const { promise: hanging, reject } = Promise.withResolvers<void>();
		const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
		const hang = async () => {
			begin();
			await hanging;
		};
		one.jobs.register("work", hang, { leaseMs: 60_000 });
		const attempts: number[] = [];
		two.jobs.register("work", async (_payload, { attempt }) => void attempts.push(attempt));
		await enqueue();
		const first = one.jobs.runDue();
		await begun;
		store.clock.advance(59_999);
		await two.jobs.runDue();
		assert.deepEqual(attempts, []);
		store.clock.advance(1);
		await two.jobs.runDue();
		assert.deepEqual(attempts, [2]);
		reject(new Error("too late"));
		await first;
		assert.deepEqual([(await row())?.state, (await row())?.last_error], ["done", null]);
	});

	test("a long job keeps its lease as long as it works", async () => {
		const finish = Promise.withResolvers<void>();
		let begun = 0;
		const work = async () => {
			begun++;
			await finish.promise;
		};
		one.jobs.register("work", work, { leaseMs: 60 });
		two.jobs.register("work", async () => void begun++);
		await enqueue();
		const first = one.jobs.runDue();
		await until(() => begun === 1);
		for (let renewal = 0; renewal < 3; renewal++) {
			store.clock.advance(40);
			const renewed = store.clock.now() + 60;
			await until(async () => (await row())?.due_at === renewed);
			await two.jobs.runDue();
		}
		finish.resolve();
		await first;
		assert.deepEqual([begun, (await row())?.state, (await row())?.attempts], [1, "done", 1]);
	});

	test("a process whose job was taken over is told to stop", async () => {
		let wasTold = false;
		let wasTaken = false;
		const work = async (_payload: unknown, context: JobContext) => {
			await stopped(context).catch(() => {
				wasTold = true;
			});
		};
		one.jobs.register("work", work, { leaseMs: 60 });
		const takeOver = async () => {
			wasTaken = true;
		};
		two.jobs.register("work", takeOver);
		await enqueue();
		const first = one.jobs.runDue();
		await until(async () => (await row())?.state === "running");
		await until(async () => {
			store.clock.advance(1000);
			await two.jobs.runDue();
			return wasTaken;
		});
		await first;
		assert.equal(wasTold, true);
	});

	test("a job that ends its process at every attempt is given up", async () => {
		// A process that is gone leaves nothing but its lease.
		const crash = () =>
			sql`update jobs set state = 'running', lease = 'gone', due_at = ${store.clock.now() + 60_000}, attempts = attempts + 1`.execute(
				one.metadata,
			);
		let runs = 0;
		const givenUp: unknown[] = [];
		const onGivenUp = async (_trx: unknown, payload: unknown) => void givenUp.push(payload);
		one.jobs.register("work", async () => void runs++, { maxAttempts: 3, onGivenUp });
		await one.jobs.enqueue(one.metadata, { kind: "work", payload: "the export" });
		for (let attempt = 0; attempt < 3; attempt++) await crash();
		store.clock.advance(60_000);
		await one.jobs.runDue();
		assert.deepEqual([runs, givenUp], [0, ["the export"]]);
		assert.deepEqual(
			[(await row())?.state, (await row())?.last_error],
			["failed", "The service ended during each attempt"],
		);
	});

	test("a clock that jumps ahead does not make a process do a job twice at once", async () => {
		const finish = Promise.withResolvers<void>();
		let runs = 0;
		const work = async () => {
			runs++;
			await finish.promise;
		};
		one.jobs.register("work", work);
		await enqueue();
		const first = one.jobs.runDue();
		await until(() => runs === 1);
		store.clock.advance(86_400_000);
		const second = one.jobs.runDue();
		await until(async () => (await row())?.state === "running");
		finish.resolve();
		await Promise.all([first, second]);
		assert.deepEqual([runs, (await row())?.state], [1, "done"]);
	});

	test("at the end a job that heeds the signal waits for the next start, and the attempt does not count", async () => {
		one.jobs.register("work", (_payload, context) => stopped(context));
		await enqueue();
		one.jobs.start();
		await until(async () => (await row())?.state === "running");
		await one.jobs.close();
		assert.deepEqual([(await row())?.state, (await row())?.attempts], ["pending", 0]);
		const attempts: number[] = [];
		two.jobs.register("work", async (_payload, { attempt }) => void attempts.push(attempt));
		await two.jobs.runDue();
		assert.deepEqual(attempts, [1]);
	});

	test("at the end a job that is nearly done may finish, and no further one begins", async () => {
		const finish = Promise.withResolvers<void>();
		one.jobs.register("work", () => finish.promise, { concurrency: 1 });
		await enqueue();
		await enqueue();
		one.jobs.start();
		await until(async () => (await row())?.state === "running");
		const closed = one.jobs.close();
		finish.resolve();
		await closed;
		assert.deepEqual(
			(await store.rows()).map(({ state }) => state),
			["done", "pending"],
		);
	});

	test("at the end a job that does not stop is left to its lease", async () => {
		const finish = Promise.withResolvers<void>();
		one.jobs.register("work", () => finish.promise);
		await enqueue();
		one.jobs.start();
		await until(async () => (await row())?.state === "running");
		await one.jobs.close();
		assert.equal((await row())?.state, "running");
		finish.resolve();
	});

	test("a job is done soon after its transaction has committed", async () => {
		let done = Promise.withResolvers<number>();
		one.jobs.register("work", async () => done.resolve(performance.now()));
		one.jobs.start();
		let least = Number.POSITIVE_INFINITY;
		for (let job = 0; job < 3; job++) {
			done = Promise.withResolvers<number>();
			await one.metadata.transaction().execute((trx) => one.jobs.enqueue(trx, { kind: "work" }));
			const committed = performance.now();
			least = Math.min(least, (await done.promise) - committed);
		}
		assert.ok(least < 900, "without waiting for the next look at an idle store");
	});

	test("while the store is away the jobs wait, with one line in the log", async () => {
		const done = Promise.withResolvers<void>();
		one.jobs.register("work", async () => done.resolve());
		await enqueue();
		await sql`alter table jobs rename to jobs_away`.execute(one.metadata);
		one.jobs.start();
		await until(() => one.logLines.length > 0);
		await sql`alter table jobs_away rename to jobs`.execute(one.metadata);
		await done.promise;
		assert.deepEqual(
			one.logLines.map((line) => JSON.parse(line).message),
			["The jobs could not be read"],
		);
	});
});
