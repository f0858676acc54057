import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { pino } from "pino";
import { sharedTestApp } from "../../../../test/support/accounts.ts";
import { createTestClock, type TestClock } from "../../../../test/support/test-clock.ts";
import { postgresSkip } from "../../../../test/support/test-schema.ts";
import { awaitCollectors } from "./await-collectors.ts";
import { collectorId } from "./collector-id.ts";
import { type ProgressReports, reportProgress } from "./report-progress.ts";

const NOON = Date.parse("2026-11-21T12:00:00.000Z");

for (const onPostgres of [false, true]) {
	const title = `collectors of other machines (${onPostgres ? "PostgreSQL" : "SQLite"})`;
	describe(title, { skip: onPostgres && postgresSkip }, () => suite(onPostgres));
}

/** Two collectors report to one store, and a process waits for them. */
function suite(onPostgres: boolean): void {
	const app = sharedTestApp({ onPostgres, env: { ROLES: "api" } });
	let clock: TestClock;
	let near: ProgressReports;
	let far: ProgressReports;
	/** Whether the far one stores what it takes; the near one does. */
	let isFarStoring: boolean;
	beforeEach(() => {
		clock = createTestClock("2026-11-21T12:00:02.000Z");
		isFarStoring = true;
		const around = { metadata: app.metadata, clock, log: pino({ enabled: false }) };
		near = reportProgress({ ...around, id: "near", isCaughtUp: async () => true });
		far = reportProgress({ ...around, id: "far", isCaughtUp: async () => isFarStoring });
	});
	afterEach(async () => {
		for (const collector of [near, far]) {
			collector.stop();
			await collector.forget();
		}
	});
	const isStored = (until: number, ownId?: string) =>
		awaitCollectors({ metadata: app.metadata, clock }, { until, waitMs: 0, ...(ownId !== undefined && { ownId }) });

	test("nobody is waited for when all have stored what they accepted", async () => {
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
		clock.advance(299_000);
		assert.equal(await isStored(NOON + 240_000), false);
		clock.advance(1000);
		assert.equal(await isStored(NOON + 240_000), true);
	});

	test("one whose clock ran far ahead before it was lost holds nobody up", async () => {
		isFarStoring = false;
		clock.advance(30 * 86_400_000);
		await far.report();
		clock.set("2026-11-21T12:00:02.000Z");
		assert.equal(await isStored(NOON), true);
	});

	test("one that starts again after a crash has the name that it had, so that nobody waits for the one before", async () => {
		const id = await collectorId(app.config.dataDir);
		assert.match(id, /^[0-9a-f-]{36}$/);
		assert.equal(await collectorId(app.config.dataDir), id);
	});
}
