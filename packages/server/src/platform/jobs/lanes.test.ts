import assert from "node:assert/strict";
import { test } from "node:test";
import { jobsOnBothEngines } from "../../../test/support/job-stores.ts";
import { countJobs } from "./job-overview.ts";

const gate = () => Promise.withResolvers<void>();

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
		assert.deepEqual(
			["a", "b", "slow"].map((lane) => done.filter((payload) => payload.startsWith(lane)).join()),
			["a1,a2,a3,a4,a5", "b1,b2,b3,b4,b5", ""],
		);
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
