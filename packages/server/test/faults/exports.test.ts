import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { exportSite, type Job } from "../support/export-site.ts";
import { runService } from "../support/service-process.ts";
import { testApp } from "../support/test-app.ts";
import { until } from "../support/until.ts";

const ROWS = 3_000_000;

test("kill -9 in the middle of an export offers no half file; it is begun again and complete", {
	timeout: 110_000,
}, async () => {
	const dataDir = mkdtempSync(join(tmpdir(), "footfall-export-fault-"));
	try {
		const filled = await testApp({ dataDir });
		const site = await exportSite(filled);
		await site.addConversions(ROWS);
		const key = await site.call("POST /api-tokens", { name: "exports" });
		const headers = { "x-api-key": key.json().data.token, "content-type": "application/json" };
		await filled.close();

		const service = runService(["start"], { DATA_DIR: dataDir });
		const address = await service.listening;
		const question = { export_type: "conversions", date_from: "2026-11-19", date_to: "2026-11-21" };
		const created = await fetch(`${address}/api/v1/exports?account_id=shop`, {
			method: "POST",
			headers,
			body: JSON.stringify(question),
		});
		assert.equal(created.status, 201);
		const { job } = (await created.json()) as { job: Job };
		const files = () => {
			try {
				return readdirSync(join(dataDir, "exports"));
			} catch {
				return [];
			}
		};
		await until(() => files().length > 0);
		service.child.kill("SIGKILL");
		await service.ended;
		assert.ok(
			files().every((name) => name.endsWith(".part")),
			"nothing but a part is there",
		);

		const again = await testApp({ dataDir, now: new Date(Date.now()).toISOString() });
		try {
			const shown = async () => {
				const url = `/api/v1/exports/${job.job_id}?account_id=shop`;
				return (
					await again.inject({ method: "GET", url, headers: { "x-api-key": headers["x-api-key"] } })
				).json() as Job;
			};
			assert.deepEqual([(await shown()).status, (await shown()).download_url], ["generating", null]);
			again.clock.advance(11 * 60_000);
			await again.jobs.runDue();
			const done = await shown();
			assert.deepEqual([done.status, done.actual_rows], ["completed", ROWS + 2]);
			assert.equal(files().length, 1, "the part of the killed process is gone");
		} finally {
			await again.close();
		}
	} finally {
		rmSync(dataDir, { recursive: true, force: true });
	}
});
