import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { exportSite, type Job } from "../support/export-site.ts";
import { filesBelow } from "../support/exports-on-both-engines.ts";
import { runService } from "../support/service-process.ts";
import { type TestApp, testApp } from "../support/test-app.ts";
import { until } from "../support/until.ts";

const ROWS = 3_000_000;

/** Fills a data directory; answers a key for what it holds. */
async function fill(dataDir: string): Promise<string> {
	const app = await testApp({ dataDir });
	try {
		const site = await exportSite(app);
		await site.addConversions(ROWS);
		return (await site.call("POST /api-tokens", { name: "exports" })).json().data.token;
	} finally {
		await app.close();
	}
}

/** Asks a service for an export and kills it in the middle of the file; answers the job. */
async function killedInTheMiddle(dataDir: string, key: string): Promise<Job> {
	const service = runService(["start"], { DATA_DIR: dataDir });
	try {
		const created = await fetch(`${await service.listening}/api/v1/exports?account_id=shop`, {
			method: "POST",
			headers: { "x-api-key": key, "content-type": "application/json" },
			body: JSON.stringify({ export_type: "conversions", date_from: "2026-11-19", date_to: "2026-11-21" }),
		});
		const { job } = (await created.json()) as { job: Job };
		assert.equal(created.status, 201);
		await until(() => filesBelow(dataDir).length > 0);
		return job;
	} finally {
		service.child.kill("SIGKILL");
		await service.ended;
	}
}

test("kill -9 in the middle of an export offers no half file; it is begun again and complete", {
	timeout: 110_000,
}, async (t) => {
	const dataDir = mkdtempSync(join(tmpdir(), "footfall-export-fault-"));
	let again: TestApp | undefined;
	t.after(async () => {
		await again?.close();
		rmSync(dataDir, { recursive: true, force: true });
	});
	const key = await fill(dataDir);
	const job = await killedInTheMiddle(dataDir, key);
	assert.deepEqual(
		filesBelow(dataDir).filter((name) => !name.endsWith(".part")),
		[],
	);

	const app = await testApp({ dataDir, now: new Date(Date.now()).toISOString() });
	again = app;
	const shown = async () => {
		const url = `/api/v1/exports/${job.job_id}?account_id=shop`;
		return (await app.inject({ method: "GET", url, headers: { "x-api-key": key } })).json() as Job;
	};
	assert.deepEqual([(await shown()).status, (await shown()).download_url], ["generating", null]);
	app.clock.advance(11 * 60_000);
	await app.jobs.runDue();
	const done = await shown();
	assert.deepEqual([done.status, done.actual_rows], ["completed", ROWS + 2]);
	assert.equal(filesBelow(dataDir).length, 1, "the part of the killed process is gone");
});
