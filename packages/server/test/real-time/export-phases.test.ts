// Real processes, as the promise is about services that are killed while they write a file.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { exportSite, filesBelow, type Job } from "../support/export-site.ts";
import { newDirectory } from "../support/new-directory.ts";
import { ownEnvironment } from "../support/own-environment.ts";
import { type TestApp, testApp } from "../support/test-app.ts";

const dataDir = newDirectory();
const LEASE_MS = 10 * 60_000;
const ROWS = { order: 150_000, purchase: 2 };
let apiKey = "";

before(async () => {
	const site = await exportSite(await testApp({ dataDir }));
	await site.addConversions(ROWS.order);
	apiKey = (await site.call("POST /api-tokens", { name: "exports" })).json().data.token;
	await site.app.close();
});

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

/** Downloads an export that is completed and deletes it; answers its rows. */
async function rowsOf(app: TestApp, { job_id, status, download_url, actual_rows }: Job): Promise<number> {
	assert.equal(status, "completed");
	const file = await app.inject({ url: download_url.replace(/^http:\/\/[^/]+/, "") });
	assert.equal(file.body.split("\r\n").length, Number(actual_rows) + 2);
	const url = `/api/v1/exports/${job_id}?account_id=shop`;
	await app.inject({ method: "DELETE", url, headers: { "x-api-key": apiKey } });
	return Number(actual_rows);
}

/** Where the process ends, with the state of the export and what it leaves; few rows are exported within the request. */
const phases = [
	{ phase: "counting", type: "order", status: "estimating", left: [] },
	{ phase: "before the first row", type: "order", status: "generating", left: [".csv.part"] },
	{ phase: "in the middle", type: "order", status: "generating", left: [".csv.part"] },
	{ phase: "between the file and the state", type: "order", status: "generating", left: [".csv"] },
	{ phase: "between the file and the state", type: "purchase", status: "generating", left: [".csv"] },
] as const;

test("kill -9 in each phase of an export: nothing is offered, ten minutes later each is made whole, and nothing is left over", async (t) => {
	for (const { phase, type, left } of phases) {
		const before = filesBelow(dataDir);
		await crash(phase, type);
		const extensions = filesBelow(dataDir)
			.filter((name) => !before.includes(name))
			.map((name) => name.replace(/^[^.]*/, ""));
		assert.deepEqual(extensions, left, phase);
	}
	const app = await testApp({ dataDir });
	t.after(() => app.close());
	const exports = async (): Promise<Job[]> => {
		const url = "/api/v1/exports?limit=10&account_id=shop";
		return (await app.inject({ url, headers: { "x-api-key": apiKey } })).json().exports;
	};
	const statuses = async () => (await exports()).map(({ status }) => status).sort();
	const left = phases.map(({ status }) => status).sort();
	assert.deepEqual(await statuses(), left);
	assert.ok((await exports()).every((job) => job.download_url === null && job.actual_rows === null));
	app.clock.advance(LEASE_MS - 1);
	await app.jobs.runDue();
	assert.deepEqual(await statuses(), left);
	app.clock.advance(1);
	await app.jobs.runDue();
	assert.equal(filesBelow(dataDir).length, phases.length);
	const rows = [];
	for (const job of await exports()) rows.push(await rowsOf(app, job));
	const all = phases.map(({ type }) => ROWS[type]);
	assert.deepEqual(
		rows.sort((a, b) => a - b),
		all.sort((a, b) => a - b),
	);
	await app.jobs.runDue();
	assert.deepEqual(filesBelow(dataDir), []);
});
