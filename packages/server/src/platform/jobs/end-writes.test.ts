import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { sql } from "kysely";
import { type JobProcess, type JobStore, onBothJobStores } from "../../../test/support/job-stores.ts";
import type { JobContext } from "./jobs.ts";

onBothJobStores("what is written with the end of a job", (open) => {
	let store: JobStore;
	let one: JobProcess;
	beforeEach(async () => {
		store = await open();
		one = await store.process();
		await sql`create table told (payload text)`.execute(one.metadata);
	});
	afterEach(async () => {
		await sql`drop table told`.execute(one.metadata);
		await store.close();
	});

	const tell =
		(isBroken: (payload: string) => boolean = () => false) =>
		async (payload: string, { endWith }: JobContext) => {
			endWith(async (trx) => {
				await sql`insert into told values (${payload})`.execute(trx);
				if (isBroken(payload)) await sql`insert into nowhere values (1)`.execute(trx);
			});
		};
	const enqueue = async (...payloads: readonly string[]) => {
		for (const payload of payloads) await one.jobs.enqueue(one.metadata, { kind: "tell", payload });
	};
	const told = async () => {
		const { rows } = await sql<{ payload: string }>`select payload from told order by payload`.execute(one.metadata);
		return rows.map(({ payload }) => payload);
	};
	const states = async () => (await store.rows()).map(({ state, attempts }) => [state, attempts]);

	test("it is written once, also when many end at a time", async () => {
		one.jobs.register("tell", tell(), { concurrency: 100 });
		const payloads = Array.from({ length: 100 }, (_, index) => String(100 + index));
		await enqueue(...payloads);
		await one.jobs.runDue();
		assert.deepEqual(await told(), payloads);
		assert.deepEqual(new Set((await states()).map(String)), new Set(["done,1"]));
	});

	test("what cannot be written is not half written, undoes no other job, and is tried again", async () => {
		let isBroken = true;
		one.jobs.register(
			"tell",
			tell((payload) => isBroken && payload === "b"),
		);
		await enqueue("a", "b", "c");
		await one.jobs.runDue();
		assert.deepEqual(await told(), ["a", "c"]);
		assert.deepEqual(await states(), [
			["done", 1],
			["pending", 1],
			["done", 1],
		]);
		isBroken = false;
		store.clock.advance(15_000);
		await one.jobs.runDue();
		assert.deepEqual(await told(), ["a", "b", "c"]);
	});

	test("a job that fails after all writes nothing", async () => {
		const fail = async (payload: string, context: JobContext) => {
			await tell()(payload, context);
			throw new Error("no");
		};
		one.jobs.register("tell", fail, { maxAttempts: 1 });
		await enqueue("a");
		await one.jobs.runDue();
		assert.deepEqual([await told(), await states()], [[], [["failed", 1]]]);
	});

	test("a process whose job was taken over writes nothing", async () => {
		const { promise: hanging, resolve: end } = Promise.withResolvers<void>();
		const begun = Promise.withResolvers<void>();
		const slow = async (payload: string, context: JobContext) => {
			begun.resolve();
			await hanging;
			await tell()(`late ${payload}`, context);
		};
		one.jobs.register("tell", slow, { leaseMs: 60_000 });
		const two = await store.process();
		two.jobs.register("tell", tell());
		await enqueue("a");
		const first = one.jobs.runDue();
		await begun.promise;
		store.clock.advance(60_000);
		await two.jobs.runDue();
		end();
		await first;
		assert.deepEqual([await told(), await states()], [["a"], [["done", 2]]]);
	});
});
