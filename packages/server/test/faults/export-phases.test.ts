import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { ownEnvironment } from "../support/command.ts";
import { exportSite, type Job } from "../support/export-site.ts";
import { filesBelow } from "../support/exports-on-both-engines.ts";
import { type TestApp, testApp } from "../support/test-app.ts";

const dataDir = mkdtempSync(join(tmpdir(), "footfall-export-phases-"));
const LEASE_MS = 10 * 60_000;
const ROWS = { order: 150_000, purchase: 2 };
let apiKey = "";

before(async () => {
	const site = await exportSite(await testApp({ dataDir }));
	await site.addConversions(ROWS.order);
	apiKey = (await site.call("POST /api-tokens", { name: "exports" })).json().data.token;
	await site.app.close();
});
after(() => rmSync(dataDir, { recursive: true, force: true }));

/** Lets a service begin an export and end itself in a phase of it. */
async function crash(phase: string, type: keyof typeof ROWS): Promise<void> {
	const script = fileURLToPath(new URL("../support/crashing-export.ts", import.meta.url));
	const child = spawn(process.execPath, [script, dataDir, apiKey, phase, type], {
		env: ownEnvironment({}),
		stdio: "inherit",
	});
	const [code, signal] = await once(child, "exit");
	assert.deepEqual([code, signal], [null, "SIGKILL"]);
}

/** What a service does with an export that another process left in a state. */
async function isMadeWhole(app: TestApp, status: string, rows: number): Promise<void> {
	const headers = { "x-api-key": apiKey };
	const get = async (path: string) =>
		(await app.inject({ method: "GET", url: `/api/v1/exports${path}account_id=shop`, headers })).json();
	const [job] = (await get("?limit=1&")).exports as Job[];
	assert.ok(job);
	assert.deepEqual([job.status, job.download_url, job.actual_rows], [status, null, null]);
	app.clock.advance(LEASE_MS - 1);
	await app.jobs.runDue();
	assert.equal((await get(`/${job.job_id}?`)).status, status);
	app.clock.advance(1);
	await app.jobs.runDue();
	const done = (await get(`/${job.job_id}?`)) as Job;
	assert.deepEqual([done.status, done.actual_rows], ["completed", rows]);
	assert.equal(filesBelow(dataDir).length, 1);
	const url = done.download_url.replace(/^http:\/\/[^/]+/, "");
	const file = await app.inject({ method: "GET", url });
	assert.equal(file.body.split("\r\n").length, rows + 2);
	await app.inject({ method: "DELETE", url: `/api/v1/exports/${job.job_id}?account_id=shop`, headers });
	await app.jobs.runDue();
	assert.deepEqual(filesBelow(dataDir), []);
}

/** Where the process ends, with the state of the export and what lies there afterwards; few rows are exported within the request. */
const phases = [
	{ phase: "counting", type: "order", status: "estimating", left: [] },
	{ phase: "before the first row", type: "order", status: "generating", left: [".csv.part"] },
	{ phase: "in the middle", type: "order", status: "generating", left: [".csv.part"] },
	{ phase: "between the file and the state", type: "order", status: "generating", left: [".csv"] },
	{ phase: "between the file and the state", type: "purchase", status: "generating", left: [".csv"] },
] as const;

describe("kill -9 while an export is made", () => {
	for (const { phase, type, status, left } of phases) {
		test(`${phase}, ${ROWS[type]} rows: nothing is offered, ten minutes later it is made whole, and nothing is left over`, {
			timeout: 60_000,
		}, async () => {
			await crash(phase, type);
			const extensions = filesBelow(dataDir).map((name) => name.replace(/^[^.]*/, ""));
			assert.deepEqual(extensions, left);

			const app = await testApp({ dataDir });
			try {
				await isMadeWhole(app, status, ROWS[type]);
			} finally {
				await app.close();
			}
		});
	}
});
