import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { signInAgain } from "../../../../test/support/accounts.ts";
import { appOnBothEngines } from "../../../../test/support/app-on-both-engines.ts";
import { type BigQuerySite, bigQuerySite, connection, mergedDays } from "../../../../test/support/bigquery-site.ts";
import type { GotRequest } from "../../../../test/support/bigquery-stand-in.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";

const small = { data_types: ["conversions"] };
const isUpload = ({ method, path }: GotRequest) => method === "PUT" && path.startsWith("/upload/");
const busy = { status: 503, body: { error: { code: 503, message: "busy", errors: [{ reason: "backendError" }] } } };
const range = { date_from: "2026-11-15", date_to: "2026-11-21", chunk_days: 3 };

appOnBothEngines("BigQuery in trouble", (open) => {
	let at: BigQuerySite;
	beforeEach(async () => {
		at = await bigQuerySite((env) => open({ env }));
	});
	afterEach(() => at.close());

	test("what passes in a moment is waited for: 429, 503, a line that breaks, a token that ends, a job that is to be repeated", async () => {
		at.google.fail(({ path }) => path === "/token", { ...busy, status: 429, headers: { "retry-after": "0" } });
		at.google.fail(({ path }) => path.endsWith("/datasets/footfall"), "drop");
		assert.equal((await at.call("POST ", { ...connection, ...small })).statusCode, 201);
		at.google.looksBeforeDone = 2;
		at.google.fail(({ method, path }) => method === "POST" && path.startsWith("/upload/"), busy, 2);
		at.google.fail(isUpload, "drop");
		at.google.fail(({ body }) => body.includes("MERGE"), "drop");
		at.google.revokeTokens();
		await at.app.jobs.runDue();
		const [log] = await at.logs();
		assert.deepEqual([log?.status, log?.error_message], ["success", null]);
		assert.deepEqual(
			at.google.rows("fact_conversions").map(({ date, revenue }) => [date, revenue]),
			[
				["2026-11-19", "12.5"],
				["2026-11-21", "-3"],
			],
		);
	});

	test("a file of many pieces arrives whole, whichever of its pieces is lost", async () => {
		await at.connect(small);
		await at.site.addConversions(60_000, "2026-11-20");
		let piece = 0;
		at.google.fail((request) => isUpload(request) && ++piece === 2, {
			status: 308,
			headers: { range: "bytes=0-4194303" },
		});
		at.google.fail((request) => isUpload(request) && piece === 3, "drop");
		const answer = await at.sync("POST /sync", { date_from: "2026-11-20", date_to: "2026-11-20" });
		assert.equal(answer.statusCode, 200, answer.body);
		const { tables } = answer.json();
		assert.equal(tables.fact_conversions.rows, 60_000);
		assert.ok(tables.fact_conversions.bytes > 3 * 4 * 1024 ** 2, "several pieces");
		const rows = at.google.rows("fact_conversions").filter(({ date }) => date === "2026-11-20");
		assert.equal(new Set(rows.map(({ properties }) => JSON.stringify(properties))).size, 60_000);
	});

	test("when BigQuery is away for longer, the sync is tried again, and goes on with the part at which it was", async () => {
		await at.connect(small);
		await at.site.addConversions(1, "2026-11-16");
		await at.site.addConversions(1, "2026-11-18");
		const before = mergedDays(at.google).length;
		// The first is that of the countries.
		let uploads = 0;
		at.google.fail((request) => isUpload(request) && ++uploads > 2, busy, 12);
		const asked = at.sync("POST /backfill", range);
		const answer = await asked;
		assert.equal(answer.statusCode, 200, answer.body);
		assert.equal(answer.json().status, "running");
		const [waiting] = await at.logs();
		assert.deepEqual([waiting?.status, waiting?.completed_chunks, waiting?.error_message], ["running", 1, "busy"]);
		assert.equal((await at.call("POST /sync")).statusCode, 409);
		for (let wait = 0; wait < 3; wait++) await at.later(6 * 60_000);
		const [log] = await at.logs();
		assert.deepEqual([log?.status, log?.completed_chunks, log?.error_message], ["success", 3, null]);
		assert.deepEqual(mergedDays(at.google).slice(before), ["2026-11-15", "2026-11-18", "2026-11-21"]);
	});

	test("what does not pass for twenty minutes has failed, and can be retried", async () => {
		await at.call("POST ", { ...connection, ...small });
		at.google.fail(({ body }) => body.includes("MERGE"), busy, 1000);
		await at.app.jobs.runDue();
		for (let wait = 0; wait < 4; wait++) await at.later(20 * 60_000);
		const [log] = await at.logs();
		assert.deepEqual([log?.status, log?.error_message], ["failed", "busy"]);
		assert.deepEqual((await at.call("GET ")).json().last_error, "busy");
	});

	test("an upload that is to go to another host goes nowhere", async () => {
		await at.call("POST ", { ...connection, ...small });
		at.google.fail(
			({ method, path }) => method === "POST" && path.startsWith("/upload/"),
			{ status: 200, headers: { location: "http://127.0.0.1:1/upload" } },
			1000,
		);
		await at.app.jobs.runDue();
		const [log] = await at.logs();
		assert.deepEqual([log?.status, log?.error_message], ["running", "An upload did not arrive"]);
	});
});

test("a service that ends in the middle of a sync goes on with it after its next start", async () => {
	const dataDir = mkdtempSync(join(tmpdir(), "footfall-bigquery-"));
	let env: Readonly<Record<string, string>> = {};
	let again: TestApp | undefined;
	const at = await bigQuerySite((given) => {
		env = given;
		return testApp({ dataDir, env });
	});
	try {
		await at.connect(small);
		await at.site.addConversions(1, "2026-11-16");
		await at.site.addConversions(1, "2026-11-18");
		let uploads = 0;
		let closing: Promise<void> | undefined;
		at.google.before = async (request) => {
			if (isUpload(request) && ++uploads === 3) closing = at.app.close();
		};
		const before = mergedDays(at.google).length;
		void at.call("POST /backfill", range).catch(() => undefined);
		while (closing === undefined) {
			await at.app.jobs.runDue().catch(() => undefined);
			await new Promise(setImmediate);
		}
		await closing;
		again = await testApp({ dataDir, env });
		await again.jobs.runDue();
		const headers = { ...(await signInAgain(again, at.site.ann)).headers };
		const logs = await again.inject({ url: "/api/v1/integrations/bigquery/logs?account_id=shop", headers });
		const [log] = logs.json().logs;
		assert.deepEqual([log.status, log.sync_type, log.completed_chunks], ["success", "backfill", 3]);
		assert.deepEqual(mergedDays(at.google).slice(before), ["2026-11-15", "2026-11-18", "2026-11-21"]);
	} finally {
		await again?.close();
		await at.google.close();
		rmSync(dataDir, { recursive: true, force: true });
	}
});
