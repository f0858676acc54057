import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Tables } from "../../../../migrations/metadata/tables/index.ts";
import { openExports, watchedExports } from "../../../../test/support/watched-exports.ts";

const at = watchedExports();

test("what cannot succeed ends the export as failed, is told once, and leaves no file", async () => {
	at.beforePiece = async () => {
		throw Object.assign(new Error("at 10.0.0.1: visitor ann@example.com"), { code: "ENOSPC" });
	};
	const job = await at.site.create({ export_type: "pages" });
	assert.deepEqual(
		[job.status, job.error_message, job.download_url, job.actual_rows],
		["failed", "The file could not be stored", null, null],
	);
	await at.site.app.jobs.runDue();
	assert.deepEqual(at.files(), []);
	assert.deepEqual(
		at.told.map(({ type, siteId, data }) => [type, siteId, data]),
		[
			[
				"export.failed",
				"shop",
				{
					export_id: job.job_id,
					export_type: "pages",
					error_message: "The file could not be stored",
					failed_at: "2026-11-21T12:00:00.000Z",
				},
			],
		],
	);
	assert.doesNotMatch(at.site.app.logLines.join(""), /ann@example\.com.*visitor|10\.0\.0\.1/);
	assert.equal((await at.site.call(`DELETE /exports/${job.job_id}`)).statusCode, 204);
});

test("in the background a failure that may pass is tried again three times, then the export is failed", async () => {
	await at.site.addConversions(10_000);
	let attempts = 0;
	at.beforePiece = async () => {
		attempts++;
		throw new Error("gone");
	};
	const { job } = (await at.askForOrders()).json();
	const after = async (ms: number) => {
		at.site.app.clock.advance(ms);
		await at.site.app.jobs.runDue();
		return [attempts, (await at.site.job(job.job_id)).status];
	};
	assert.deepEqual(await after(0), [1, "generating"]);
	assert.deepEqual(await after(20_000), [2, "generating"]);
	assert.deepEqual(await after(80_000), [3, "generating"]);
	assert.deepEqual(await after(300_000), [4, "failed"]);
	assert.deepEqual(at.files(), []);
	assert.deepEqual(
		at.told.map(({ type }) => type),
		["export.failed"],
	);
});

test("one that recovers completes with all its rows, and the file of the broken attempt is gone", async () => {
	await at.site.addConversions(20_000);
	at.beforePiece = async () => {
		throw new Error("gone");
	};
	const { job } = (await at.askForOrders()).json();
	await at.site.app.jobs.runDue();
	at.beforePiece = async () => {};
	at.site.app.clock.advance(20_000);
	await at.site.app.jobs.runDue();
	const done = await at.site.job(job.job_id);
	assert.deepEqual([done.status, done.actual_rows], ["completed", 20_000]);
	assert.equal(at.files().length, 1);
	assert.deepEqual(
		at.told.map(({ type }) => type),
		["export.completed"],
	);
});

test("an export that is taken over while its first maker still writes is completed once", async () => {
	await at.site.addConversions(20_000);
	const { job } = (await at.askForOrders()).json();
	let pieces = 0;
	at.beforePiece = async () => {
		if (pieces++ > 0) return;
		// Another process took it over: it writes to a file of its own.
		await at.site.app.metadata
			.withTables<Tables>()
			.updateTable("exports")
			.set({ file_name: "another.csv" })
			.where("job_id", "=", job.job_id)
			.execute();
	};
	await at.site.app.jobs.runDue();
	assert.equal((await at.site.job(job.job_id)).status, "generating");
	assert.deepEqual([at.files(), at.told], [[], []]);
});

test("an export that grows over its plan while it waits fails", async () => {
	await at.plan("growth");
	await at.site.addConversions(99_999);
	const { job } = (await at.askForOrders()).json();
	await at.site.addConversions(2, "2026-11-21");
	await at.site.app.jobs.runDue();
	const { status, error_message } = await at.site.job(job.job_id);
	assert.deepEqual([status, error_message], ["failed", "The plan allows exports of 100000 rows"]);
});

test("an export whose process ended in each of four attempts is failed, told once, and leaves no half file", async () => {
	await at.site.addConversions(10_000);
	const { job } = (await at.askForOrders()).json();
	const tables = at.site.app.metadata.withTables<Tables>();
	const directory = join(at.site.app.config.dataDir, "exports");
	mkdirSync(directory);
	writeFileSync(join(directory, "half.csv.part"), "date,");
	await tables.updateTable("exports").set({ status: "generating", file_name: "half.csv" }).execute();
	await tables
		.updateTable("jobs")
		.set({ state: "running", attempts: 4, lease: "a process that ended" })
		.where("kind", "=", "export")
		.execute();
	await at.site.app.jobs.runDue();
	const { status, error_message, download_url } = await at.site.job(job.job_id);
	assert.deepEqual([status, error_message, download_url], ["failed", "The export could not be made", null]);
	assert.deepEqual(at.files(), []);
	assert.deepEqual(
		at.told.map(({ type }) => type),
		["export.failed"],
	);
});

test("a service that closes leaves the export to the next start, and the attempt does not count", async (t) => {
	const at = await openExports();
	t.after(() => at.site.app.close());
	await at.site.addConversions(200_000);
	const { job } = (await at.askForOrders()).json();
	const { app } = at.site;
	let closing: Promise<void> | undefined;
	at.beforePiece = async () => {
		closing ??= app.jobs.close();
	};
	await app.jobs.runDue();
	await closing;
	assert.equal((await at.site.job(job.job_id)).status, "generating");
	assert.deepEqual(at.files(), []);
	const { attempts, state } = await app.metadata
		.withTables<Tables>()
		.selectFrom("jobs")
		.select(["attempts", "state"])
		.where("kind", "=", "export")
		.executeTakeFirstOrThrow();
	assert.deepEqual([attempts, state], [0, "pending"]);
});
