import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { sql } from "kysely";
import { type JobProcess, type JobStore, onBothJobStores } from "../../../test/support/job-stores.ts";
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

	test("a long job keeps its lease as long as it works", async (t) => {
		t.mock.timers.enable({ apis: ["setInterval"] });
		const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
		const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
		let runs = 0;
		const work = async () => {
			runs++;
			begin();
			await finished;
		};
		one.jobs.register("work", work, { leaseMs: 60_000 });
		two.jobs.register("work", async () => void runs++);
		await enqueue();
		const first = one.jobs.runDue();
		await begun;
		for (let renewal = 0; renewal < 3; renewal++) {
			store.clock.advance(40_000);
			t.mock.timers.tick(20_000);
			await one.idle();
			await two.jobs.runDue();
		}
		finish();
		await first;
		assert.deepEqual([runs, (await row())?.state, (await row())?.attempts], [1, "done", 1]);
	});

	test("a process whose job was taken over is told to stop", async (t) => {
		t.mock.timers.enable({ apis: ["setInterval"] });
		const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
		const work = async (_payload: unknown, context: JobContext) => {
			begin();
			await stopped(context).catch(() => undefined);
		};
		one.jobs.register("work", work, { leaseMs: 60_000 });
		let wasTaken = false;
		const takeOver = async () => {
			wasTaken = true;
		};
		two.jobs.register("work", takeOver);
		await enqueue();
		const first = one.jobs.runDue();
		await begun;
		store.clock.advance(60_000);
		await two.jobs.runDue();
		assert.equal(wasTaken, true);
		t.mock.timers.tick(20_000);
		await first;
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
		const begun = Promise.withResolvers<void>();
		let runs = 0;
		const work = async () => {
			runs++;
			begun.resolve();
			await finish.promise;
		};
		one.jobs.register("work", work);
		await enqueue();
		const first = one.jobs.runDue();
		await begun.promise;
		store.clock.advance(86_400_000);
		const second = one.jobs.runDue();
		await two.jobs.runDue();
		finish.resolve();
		await Promise.all([first, second]);
		assert.deepEqual([runs, (await row())?.state], [1, "done"]);
	});

	test("at the end a job that heeds the signal waits for the next start, and the attempt does not count", async () => {
		const begun = Promise.withResolvers<void>();
		one.jobs.register("work", (_payload, context) => {
			begun.resolve();
			return stopped(context);
		});
		await enqueue();
		one.jobs.start();
		await begun.promise;
		await one.jobs.close();
		assert.deepEqual([(await row())?.state, (await row())?.attempts], ["pending", 0]);
		const attempts: number[] = [];
		two.jobs.register("work", async (_payload, { attempt }) => void attempts.push(attempt));
		await two.jobs.runDue();
		assert.deepEqual(attempts, [1]);
	});

	for (const [what, ends, states] of [
		["is nearly done may finish, and no further one begins", true, ["done", "pending"]],
		["does not stop is left to its lease, and no further one begins", false, ["running", "pending"]],
	] as const) {
		test(`at the end a job that ${what}`, async () => {
			const begun = Promise.withResolvers<void>();
			const finish = Promise.withResolvers<void>();
			const work = async () => {
				begun.resolve();
				await finish.promise;
			};
			one.jobs.register("work", work, { concurrency: 1 });
			await enqueue();
			await enqueue();
			one.jobs.start();
			await begun.promise;
			const closed = one.jobs.close();
			if (ends) finish.resolve();
			await closed;
			assert.deepEqual(
				(await store.rows()).map(({ state }) => state),
				states,
			);
			finish.resolve();
		});
	}

	test("a job is done after its transaction has committed, without a further call", async () => {
		const done = Promise.withResolvers<void>();
		one.jobs.register("work", async () => done.resolve());
		one.jobs.start();
		await one.metadata.transaction().execute((trx) => one.jobs.enqueue(trx, { kind: "work" }));
		await done.promise;
	});

	test("while the store is away the jobs wait, with one line in the log", async () => {
		const done = Promise.withResolvers<void>();
		one.jobs.register("work", async () => done.resolve());
		await enqueue();
		await sql`alter table jobs rename to jobs_away`.execute(one.metadata);
		one.jobs.start();
		await one.logged;
		await sql`alter table jobs_away rename to jobs`.execute(one.metadata);
		await done.promise;
		assert.deepEqual(
			one.logLines.map((line) => JSON.parse(line).message),
			["The jobs could not be read"],
		);
	});
});
