import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { type JobProcess, jobsOnBothEngines } from "../../../test/support/job-stores.ts";
import { JobFailure } from "./job-failure.ts";
import { countJobs } from "./job-overview.ts";
import type { JobContext, JobOptions } from "./jobs.ts";

const gate = () => Promise.withResolvers<void>();
const stopped = ({ signal }: JobContext): Promise<void> =>
	new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("stopped"))));

jobsOnBothEngines("running jobs", (at) => {
	const enqueue = (payload: unknown = null) => at.one.jobs.enqueue(at.one.metadata, { kind: "work", payload });
	const states = async () => (await at.store.rows()).map(({ state, attempts }) => `${state} ${attempts}`);

	/** Registers a job that goes on until it is told to end; how often it was begun. */
	function longJob({ jobs }: JobProcess, options: JobOptions = {}) {
		const [begun, ended] = [gate(), gate()];
		let runs = 0;
		const work = async () => {
			runs++;
			begun.resolve();
			await ended.promise;
		};
		jobs.register("work", work, options);
		return { begun: begun.promise, end: ended.resolve, runs: () => runs };
	}

	/** What handlers write with the end of their jobs. */
	async function toldTable() {
		const { metadata } = at.one;
		await sql`create table told (payload text)`.execute(metadata);
		return async () => {
			const { rows } = await sql<{ payload: string }>`select payload from told order by payload`.execute(metadata);
			return rows.map(({ payload }) => payload);
		};
	}
	const tell =
		(isBroken: (payload: string) => boolean = () => false) =>
		async (payload: string, { endWith }: JobContext) =>
			endWith(async (trx) => {
				await sql`insert into told values (${payload})`.execute(trx);
				if (isBroken(payload)) await sql`insert into nowhere values (1)`.execute(trx);
			});

	test("a process that hangs loses its job when the lease ends, and neither its late end nor what it writes counts", async () => {
		const told = await toldTable();
		const [hanging, begun] = [gate(), gate()];
		const hang = async (_payload: unknown, context: JobContext) => {
			begun.resolve();
			await hanging.promise;
			await tell()("late", context);
		};
		at.one.jobs.register("work", hang, { leaseMs: 60_000 });
		at.two.jobs.register("work", tell());
		await enqueue("in time");
		const first = at.one.jobs.runDue();
		await begun.promise;
		at.store.clock.advance(59_999);
		await at.two.jobs.runDue();
		assert.deepEqual(await states(), ["running 1"]);
		at.store.clock.advance(1);
		await at.two.jobs.runDue();
		hanging.resolve();
		await first;
		assert.deepEqual([await told(), await states()], [["in time"], ["done 2"]]);
	});

	test("a long job keeps its lease as long as it works", async (t) => {
		t.mock.timers.enable({ apis: ["setInterval"] });
		const long = longJob(at.one, { leaseMs: 60_000 });
		const other = longJob(at.two);
		await enqueue();
		const first = at.one.jobs.runDue();
		await long.begun;
		for (let renewal = 0; renewal < 3; renewal++) {
			at.store.clock.advance(40_000);
			t.mock.timers.tick(20_000);
			await at.one.idle();
			await at.two.jobs.runDue();
		}
		long.end();
		await first;
		assert.deepEqual([other.runs(), await states()], [0, ["done 1"]]);
	});

	test("a process whose job was taken over is told to stop", async (t) => {
		t.mock.timers.enable({ apis: ["setInterval"] });
		const begun = gate();
		const work = async (_payload: unknown, context: JobContext) => {
			begun.resolve();
			await stopped(context).catch(() => undefined);
		};
		at.one.jobs.register("work", work, { leaseMs: 60_000 });
		at.two.jobs.register("work", async () => undefined);
		await enqueue();
		const first = at.one.jobs.runDue();
		await begun.promise;
		at.store.clock.advance(60_000);
		await at.two.jobs.runDue();
		assert.deepEqual(await states(), ["done 2"]);
		t.mock.timers.tick(20_000);
		await first;
	});

	test("a job that ends its process at every attempt is given up", async () => {
		// A process that is gone leaves nothing but its lease.
		const due = at.store.clock.now() + 60_000;
		const crashed = sql`update jobs set state = 'running', lease = 'gone', due_at = ${due}, attempts = 3`;
		const calls: unknown[] = [];
		const onGivenUp = async (_trx: unknown, payload: unknown) => void calls.push(payload);
		at.one.jobs.register("work", async () => void calls.push("run"), { maxAttempts: 3, onGivenUp });
		await enqueue("the export");
		await crashed.execute(at.one.metadata);
		at.store.clock.advance(60_000);
		await at.one.jobs.runDue();
		const [row] = await at.store.rows();
		const ending = [calls, row?.state, row?.last_error];
		assert.deepEqual(ending, [["the export"], "failed", "The service ended during each attempt"]);
	});

	test("a clock that jumps ahead does not make a process do a job twice at once", async () => {
		const long = longJob(at.one);
		await enqueue();
		const first = at.one.jobs.runDue();
		await long.begun;
		at.store.clock.advance(86_400_000);
		const second = at.one.jobs.runDue();
		await at.two.jobs.runDue();
		long.end();
		await Promise.all([first, second]);
		assert.deepEqual([long.runs(), (await at.store.rows())[0]?.state], [1, "done"]);
	});

	for (const [what, expected] of [
		["heeds the signal waits for the next start, and its attempt does not count", ["pending 0", "pending 0"]],
		["is nearly done may finish, and no further one begins", ["done 1", "pending 0"]],
		["does not stop is left to its lease, and no further one begins", ["running 1", "pending 0"]],
	] as const) {
		test(`at the end a job that ${what}`, async () => {
			const [begun, finish] = [gate(), gate()];
			const work = (_payload: unknown, context: JobContext) => {
				begun.resolve();
				return what.startsWith("heeds") ? stopped(context) : finish.promise;
			};
			at.one.jobs.register("work", work, { concurrency: 1 });
			for (let job = 0; job < 2; job++) await enqueue();
			at.one.jobs.start();
			await begun.promise;
			const closed = at.one.jobs.close();
			if (what.startsWith("is nearly done")) finish.resolve();
			await closed;
			assert.deepEqual(await states(), expected);
			finish.resolve();
		});
	}

	test("while the store is away the jobs wait, with one line in the log", async () => {
		const done = gate();
		at.one.jobs.register("work", async () => done.resolve());
		await enqueue();
		await sql`alter table jobs rename to jobs_away`.execute(at.one.metadata);
		at.one.jobs.start();
		await at.one.logged;
		await sql`alter table jobs_away rename to jobs`.execute(at.one.metadata);
		await done.promise;
		const messages = at.one.logLines.map((line) => JSON.parse(line).message);
		assert.deepEqual(messages, ["The jobs could not be read"]);
	});

	test("rows written with the end of a job are written once, also when many end at a time", async () => {
		const told = await toldTable();
		at.one.jobs.register("work", tell(), { concurrency: 100 });
		const payloads = Array.from({ length: 100 }, (_, index) => String(100 + index));
		for (const payload of payloads) await enqueue(payload);
		await at.one.jobs.runDue();
		assert.deepEqual([await told(), [...new Set(await states())]], [payloads, ["done 1"]]);
	});

	test("rows that cannot be written with an end are not half written, undo no other job, and are tried again; a job that fails writes nothing", async () => {
		const told = await toldTable();
		let isBroken = true;
		at.one.jobs.register("work", async (payload: string, context) => {
			await tell((text) => isBroken && text === "b")(payload, context);
			if (payload === "fails") throw new JobFailure("no", { isFinal: true });
		});
		for (const payload of ["a", "b", "c", "fails"]) await enqueue(payload);
		await at.one.jobs.runDue();
		const seen = [await told(), await states()];
		assert.deepEqual(seen, [
			["a", "c"],
			["done 1", "pending 1", "done 1", "failed 1"],
		]);
		isBroken = false;
		at.store.clock.advance(15_000);
		await at.one.jobs.runDue();
		assert.deepEqual(await told(), ["a", "b", "c"]);
	});

	test("rows for a job that is given up are written with its end, or neither", async () => {
		const told = await toldTable();
		let isBroken = true;
		const failing = async () => {
			throw new JobFailure("no", { isFinal: true });
		};
		at.one.jobs.register<string>("work", failing, {
			leaseMs: 60_000,
			onGivenUp: async (trx, payload) => {
				await sql`insert into told values (${payload})`.execute(trx);
				if (isBroken) throw new Error("broken");
			},
		});
		await enqueue("a");
		await at.one.jobs.runDue();
		assert.deepEqual([await states(), await told()], [["running 1"], []]);
		isBroken = false;
		at.store.clock.advance(60_000);
		await at.one.jobs.runDue();
		assert.deepEqual([(await at.store.rows())[0]?.state, await told()], ["failed", ["a"]]);
	});
});

jobsOnBothEngines("lanes", (at) => {
	const enqueue = (lane: string, count: number) =>
		at.one.metadata.transaction().execute(async (trx) => {
			for (let job = 1; job <= count; job++) {
				await at.one.jobs.enqueue(trx, { kind: "deliver", lane, payload: `${lane}${job}` });
			}
		});

	test("a lane that hangs holds up no other, however much waits for it", async () => {
		const [hanging, ten, all] = [gate(), gate(), gate()];
		const done: string[] = [];
		const deliver = async (payload: string) => {
			if (payload.startsWith("slow")) await hanging.promise;
			done.push(payload);
			if (done.length === 10) ten.resolve();
			if (done.length === 30) all.resolve();
		};
		at.one.jobs.register("deliver", deliver, { concurrency: 4, perLane: 2 });
		await enqueue("slow", 20);
		await enqueue("a", 5);
		await enqueue("b", 5);
		at.one.jobs.start();
		await ten.promise;
		const lanes = ["a", "b", "slow"].map((lane) => done.filter((payload) => payload.startsWith(lane)).join());
		assert.deepEqual(lanes, ["a1,a2,a3,a4,a5", "b1,b2,b3,b4,b5", ""]);
		hanging.resolve();
		await all.promise;
	});

	test("a lane takes its next job as soon as one has ended, after those of lanes of which none runs", async () => {
		const [first, second, begun, all] = [gate(), gate(), gate(), gate()];
		const done: string[] = [];
		const deliver = async (payload: string) => {
			if (payload === "a1") await first.promise;
			if (payload === "a2") {
				begun.resolve();
				await second.promise;
			}
			done.push(payload);
			if (done.length === 3) second.resolve();
			if (done.length === 4) all.resolve();
		};
		at.one.jobs.register("deliver", deliver, { concurrency: 2, perLane: 2 });
		await enqueue("a", 3);
		at.one.jobs.start();
		await begun.promise;
		await enqueue("b", 1);
		first.resolve();
		await all.promise;
		assert.deepEqual(done, ["a1", "b1", "a3", "a2"]);
	});

	test("no more jobs of a lane are done at a time than its kind allows, and those without a lane are not limited", async () => {
		const busy = new Map<string, number>();
		const most = new Map<string, number>();
		const deliver = async (payload: string) => {
			const lane = payload.charAt(0);
			busy.set(lane, (busy.get(lane) ?? 0) + 1);
			most.set(lane, Math.max(most.get(lane) ?? 0, busy.get(lane) ?? 0));
			await new Promise(setImmediate);
			busy.set(lane, (busy.get(lane) ?? 0) - 1);
		};
		at.one.jobs.register("deliver", deliver, { concurrency: 12, perLane: 3 });
		await enqueue("a", 10);
		await enqueue("b", 2);
		for (let job = 0; job < 6; job++) await at.one.jobs.enqueue(at.one.metadata, { kind: "deliver", payload: "none" });
		await at.one.jobs.runDue();
		assert.deepEqual(Object.fromEntries(most), { a: 3, b: 2, n: 6 });
		assert.deepEqual(await countJobs(at.one.metadata), [{ kind: "deliver", state: "done", count: 18 }]);
	});

	test("no more jobs of a group of lanes are done at a time than its kind allows, one of each lane first", async () => {
		const groups = ["a", "b"].map((letter) => letter.repeat(36));
		const done: string[] = [];
		const [five, hanging, all] = [gate(), gate(), gate()];
		const deliver = async (payload: string) => {
			done.push(payload.replace(/^(.)\1+/, "$1"));
			if (done.length === 5) five.resolve();
			if (payload.startsWith("a")) await hanging.promise;
			if (done.length === 17) all.resolve();
		};
		at.one.jobs.register("deliver", deliver, { concurrency: 12, perLane: 2, perGroup: 3 });
		for (const lane of ["1", "2", "3", "4", "5"]) await enqueue(`${groups[0]}/${lane}`, 3);
		await enqueue(`${groups[1]}/1`, 2);
		at.one.jobs.start();
		await five.promise;
		assert.deepEqual(done.toSorted(), ["a/11", "a/21", "a/31", "b/11", "b/12"]);
		hanging.resolve();
		await all.promise;
	});

	test("of many lanes the one that has waited longest comes first, whatever their names", async () => {
		const done: string[] = [];
		const deliver = async (payload: string) => void done.push(payload);
		at.one.jobs.register("deliver", deliver, { concurrency: 2, perLane: 1 });
		for (const lane of ["c", "a", "d", "b"]) {
			await enqueue(lane, 1);
			at.store.clock.advance(1);
		}
		await enqueue("c", 1);
		await at.one.jobs.enqueue(at.one.metadata, { kind: "deliver", payload: "free", runAt: 0 });
		await at.one.jobs.runDue();
		assert.deepEqual(done, ["c1", "free", "a1", "d1", "b1", "c1"]);
	});
});
