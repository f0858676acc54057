import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { pino } from "pino";
import { metadataMigrations } from "../../../../migrations/metadata/index.ts";
import { createTestClock, type TestClock } from "../../../../test/support/test-clock.ts";
import { postgresSkip, testSchema } from "../../../../test/support/test-schema.ts";
import { migrateMetadata } from "../../../platform/metadata/migrate-metadata.ts";
import { openMetadata } from "../../../platform/metadata/open-metadata.ts";
import { awaitCollectors } from "./await-collectors.ts";
import { collectorId } from "./collector-id.ts";
import { type ProgressReports, reportProgress } from "./report-progress.ts";

interface Scene {
	readonly clock: TestClock;
	readonly dataDir: string;
	readonly near: ProgressReports;
	readonly far: ProgressReports;
	/** Whether they store what they take. */
	readonly storing: { near: boolean; far: boolean };
	isStored(until: number, ownId?: string): Promise<boolean>;
}

const NOON = Date.parse("2026-11-21T12:00:00.000Z");

for (const onPostgres of [false, true]) {
	const title = `collectors of other machines (${onPostgres ? "PostgreSQL" : "SQLite"})`;
	describe(title, { skip: onPostgres && postgresSkip }, () => suite(onPostgres));
}

function suite(onPostgres: boolean): void {
	/** Two collectors that report to one store, and a process that waits for them. */
	async function scene(work: (at: Scene) => Promise<void>): Promise<void> {
		const dataDir = mkdtempSync(join(tmpdir(), "footfall-progress-"));
		const schema = onPostgres ? await testSchema() : undefined;
		const metadata = await openMetadata({ databaseUrl: schema?.url, dataDir });
		const clock = createTestClock("2026-11-21T12:00:02.000Z");
		await migrateMetadata(metadata, metadataMigrations, clock.now());
		const log = pino({ enabled: false });
		const storing = { near: true, far: true };
		const collector = (name: keyof typeof storing) =>
			reportProgress({ id: name, metadata, clock, log, isCaughtUp: async () => storing[name] });
		const [near, far] = [collector("near"), collector("far")];
		const isStored = (until: number, ownId?: string) =>
			awaitCollectors({ metadata, clock }, { until, waitMs: 0, ...(ownId !== undefined && { ownId }) });
		try {
			await work({ clock, dataDir, near, far, storing, isStored });
		} finally {
			near.stop();
			far.stop();
			await metadata.destroy();
			await schema?.drop();
			rmSync(dataDir, { recursive: true, force: true });
		}
	}

	test("nobody is waited for when all have stored what they accepted", () =>
		scene(async (at) => {
			assert.equal(await at.isStored(NOON), true, "none has ever reported");
			await at.near.report();
			await at.far.report();
			assert.equal(await at.isStored(NOON), true);
			assert.equal(await at.isStored(NOON + 60_000), false, "the minute after has not ended for them");
		}));

	test("one that holds hits is waited for, also when it was behind from its start", () =>
		scene(async (at) => {
			at.storing.far = false;
			await at.near.report();
			await at.far.report();
			assert.equal(await at.isStored(NOON), false);
			assert.equal(await at.isStored(NOON, at.far.id), true, "a process knows its own spool better");
			at.storing.far = true;
			await at.far.report();
			assert.equal(await at.isStored(NOON), true);
		}));

	test("one that starts again after a crash has the name that it had, so that nobody waits for the one before", () =>
		scene(async (at) => {
			const id = await collectorId(at.dataDir);
			assert.match(id, /^[0-9a-f-]{36}$/);
			assert.equal(await collectorId(at.dataDir), id);
		}));

	test("one that was closed with nothing left, or says nothing for five minutes, holds nobody up", () =>
		scene(async (at) => {
			at.storing.far = false;
			await at.far.report();
			await at.near.report();
			await at.near.forget();
			at.clock.advance(299_000);
			assert.equal(await at.isStored(NOON + 240_000), false);
			at.clock.advance(1000);
			assert.equal(await at.isStored(NOON + 240_000), true);
		}));

	test("one whose clock ran far ahead before it was lost holds nobody up", () =>
		scene(async (at) => {
			at.storing.far = false;
			at.clock.advance(30 * 86_400_000);
			await at.far.report();
			at.clock.set("2026-11-21T12:00:02.000Z");
			assert.equal(await at.isStored(NOON), true);
		}));
}
