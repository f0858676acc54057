import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { pino } from "pino";
import { jobsOnBothEngines } from "../../../../test/support/job-stores.ts";
import { newDirectory } from "../../../../test/support/new-directory.ts";
import { awaitCollectors, collectorId, reportProgress } from "./progress.ts";

const NOON = Date.parse("2026-11-21T12:00:00.000Z");

jobsOnBothEngines("collectors of other machines", (at) => {
	let near: ReturnType<typeof reportProgress>;
	let far: ReturnType<typeof reportProgress>;
	/** Whether the far one stores what it takes; the near one does. */
	let isFarStoring: boolean;
	beforeEach(() => {
		const { clock } = at.store;
		clock.advance(2000);
		isFarStoring = true;
		const around = { clock, log: pino({ enabled: false }) };
		near = reportProgress({ ...around, metadata: at.one.metadata, id: "near", isCaughtUp: async () => true });
		far = reportProgress({ ...around, metadata: at.two.metadata, id: "far", isCaughtUp: async () => isFarStoring });
	});
	afterEach(() => {
		near.stop();
		far.stop();
	});
	const isStored = (until: number, ownId?: string) =>
		awaitCollectors(
			{ metadata: at.one.metadata, clock: at.store.clock },
			{ until, waitMs: 0, ...(ownId !== undefined && { ownId }) },
		);

	test("no collector is waited for when all have stored what they accepted", async () => {
		assert.equal(await isStored(NOON), true, "none has ever reported");
		await near.report();
		await far.report();
		assert.equal(await isStored(NOON), true);
		assert.equal(await isStored(NOON + 60_000), false, "the minute after has not ended for them");
	});

	test("one that holds hits is waited for, also when it was behind from its start", async () => {
		isFarStoring = false;
		await near.report();
		await far.report();
		assert.equal(await isStored(NOON), false);
		assert.equal(await isStored(NOON, far.id), true, "a process knows its own spool better");
		isFarStoring = true;
		await far.report();
		assert.equal(await isStored(NOON), true);
	});

	test("one that was closed with nothing left, or says nothing for five minutes, holds nobody up", async () => {
		isFarStoring = false;
		await far.report();
		await near.report();
		await near.forget();
		at.store.clock.advance(299_000);
		assert.equal(await isStored(NOON + 240_000), false);
		at.store.clock.advance(1000);
		assert.equal(await isStored(NOON + 240_000), true);
	});

	test("one whose clock ran far ahead before it was lost holds nobody up", async () => {
		isFarStoring = false;
		at.store.clock.advance(30 * 86_400_000);
		await far.report();
		at.store.clock.set("2026-11-21T12:00:02.000Z");
		assert.equal(await isStored(NOON), true);
	});
});

test("a collector that starts again after a crash has the name that it had, so that nobody waits for the one before", async () => {
	const dataDir = newDirectory();
	const id = await collectorId(dataDir);
	assert.match(id, /^[0-9a-f-]{36}$/);
	assert.equal(await collectorId(dataDir), id);
});
