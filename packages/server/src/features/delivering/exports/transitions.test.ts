import assert from "node:assert/strict";
import { test } from "node:test";
import type { Tables } from "../../../../migrations/metadata/tables/index.ts";
import { signIn } from "../../../../test/support/accounts.ts";
import { days } from "../../../../test/support/export-site.ts";
import { renewSession } from "../../../../test/support/renew-session.ts";
import { giveSiteRole } from "../../../../test/support/site-roles.ts";
import { orders, watchedExports } from "../../../../test/support/watched-exports.ts";
import { type ExportStatus, exportStatuses } from "./states.ts";

/** The status that the removal of an export answers in each state. */
const removals: Readonly<Record<ExportStatus, number>> = {
	pending: 204,
	estimating: 409,
	generating: 409,
	completed: 204,
	failed: 204,
	expired: 204,
};

const at = watchedExports();

/** The id of an export that is brought into a state. */
async function exportIn(status: ExportStatus): Promise<string> {
	const { job_id: jobId } = await at.site.create({ export_type: "pages" });
	const tables = at.site.app.metadata.withTables<Tables>();
	await tables.updateTable("exports").set({ status }).where("job_id", "=", jobId).execute();
	return jobId;
}

test("an export of 9,999 rows is made within the request, and one of 10,000 in the background", async () => {
	const { app, ...site } = at.site;
	await site.addConversions(9_999);
	assert.equal((await site.create(orders)).status, "completed");
	const jobs = app.metadata.withTables<Tables>().selectFrom("jobs").select("kind");
	assert.deepEqual(await jobs.where("kind", "=", "export").where("state", "=", "pending").execute(), []);
	await site.addConversions(1, "2026-11-21");
	const { job, estimate, message } = (await at.askForOrders()).json();
	assert.deepEqual(
		[job.status, job.estimated_rows, job.actual_rows, job.download_url, job.started_at, job.progress_percent],
		["pending", 10_000, null, null, null, 0],
	);
	assert.equal(estimate.will_use_background_job, false);
	assert.match(message, /in the background/);
	const stream = await site.call("POST /exports/stream", orders);
	assert.equal(stream.statusCode, 200);
	assert.equal(stream.body.split("\r\n").length, 10_002);
	await app.jobs.runDue();
	const done = await site.job(job.job_id);
	assert.deepEqual([done.status, done.actual_rows, done.progress_percent], ["completed", 10_000, 100]);
	const lines = (await site.download(done)).body.split("\r\n");
	assert.equal(lines[1], '2026-11-20,order,0,"{""n"":""0""}"');
	assert.equal(lines.length, 10_002);
	assert.equal(new Set(lines).size, 10_002, "no row comes twice");
});

test("above 10,000 rows a stream answers 413 with the way to the file, and the estimate says background", async () => {
	await at.site.addConversions(10_001);
	const stream = await at.site.call("POST /exports/stream", orders);
	assert.equal(stream.statusCode, 413);
	assert.deepEqual(Object.keys(stream.json()), ["detail"]);
	assert.match(stream.json().detail, /POST \/exports /);
	assert.equal((await at.site.call("POST /exports/estimate", orders)).json().will_use_background_job, true);
});

test("while the file is made the export is generating, advances, cannot be removed, and has no link", async () => {
	await at.site.addConversions(200_000);
	const { job } = (await at.askForOrders()).json();
	const seen: number[] = [];
	at.beforePiece = async () => {
		const { status, progress_percent, download_url } = await at.site.job(job.job_id);
		assert.deepEqual([status, download_url], ["generating", null]);
		seen.push(Number(progress_percent));
		if (seen.length > 1) return;
		const removal = await at.site.call(`DELETE /exports/${job.job_id}`);
		assert.deepEqual([removal.statusCode, removal.json().error.code], [409, "conflict"]);
	};
	await at.site.app.jobs.runDue();
	assert.equal((await at.site.job(job.job_id)).status, "completed");
	assert.deepEqual(
		seen,
		seen.toSorted((a, b) => a - b),
	);
	assert.ok(new Set(seen).size > 10, `${new Set(seen).size} different percents`);
	assert.ok(Math.max(...seen) < 100);
});

test("an export that waits is cancelled: it is gone and never made", async () => {
	await at.site.addConversions(10_000);
	const { job } = (await at.askForOrders()).json();
	assert.equal((await at.site.call(`DELETE /exports/${job.job_id}`)).statusCode, 204);
	assert.equal((await at.site.call(`GET /exports/${job.job_id}`)).statusCode, 404);
	assert.equal((await at.site.call(`DELETE /exports/${job.job_id}`)).statusCode, 404);
	await at.site.app.jobs.runDue();
	assert.deepEqual(at.files(), []);
	assert.deepEqual(at.told, []);
});

test("a completed export is deleted with its file and its link", async () => {
	const job = await at.site.create({ export_type: "pages" });
	assert.equal(at.files().length, 1);
	assert.equal((await at.site.call(`DELETE /exports/${job.job_id}`)).statusCode, 204);
	assert.equal((await at.site.download(job)).statusCode, 404);
	await at.site.app.jobs.runDue();
	assert.deepEqual(at.files(), []);
});

test("in the background an export is estimating while its rows are counted: it has no link and is not removed", async () => {
	await at.site.addConversions(10_000);
	const { job } = (await at.askForOrders()).json();
	const seen: unknown[] = [];
	at.beforeCount = async () => {
		const { status, started_at, download_url } = await at.site.job(job.job_id);
		const removal = await at.site.call(`DELETE /exports/${job.job_id}`);
		seen.push([status, started_at, download_url, removal.statusCode, removal.json().error.code]);
	};
	await at.site.app.jobs.runDue();
	assert.deepEqual(seen, [["estimating", "2026-11-21T12:00:00.000Z", null, 409, "conflict"]]);
	assert.equal((await at.site.job(job.job_id)).status, "completed");
});

test("whatever waits or has ended is removed; what is being made is not", async () => {
	for (const status of exportStatuses) {
		const answer = removals[status];
		const jobId = await exportIn(status);
		assert.equal((await at.site.call(`DELETE /exports/${jobId}`)).statusCode, answer, status);
		assert.equal((await at.site.call(`GET /exports/${jobId}`)).statusCode, answer === 204 ? 404 : 200, status);
	}
});

test("an export that has ended is never made again", async () => {
	const statuses = ["completed", "failed", "expired"] as const;
	const jobIds = await Array.fromAsync(statuses, exportIn);
	const jobs = () => Array.fromAsync(jobIds, at.site.job);
	const before = await jobs();
	// Now somebody else would make them if the processes that began had ended.
	at.site.app.clock.advance(10 * 60_000);
	at.beforeCount = () => assert.fail("rows were counted again");
	await at.site.app.jobs.runDue();
	assert.deepEqual(await jobs(), before);
	assert.deepEqual(
		at.told.map(({ type }) => type),
		statuses.map(() => "export.completed"),
	);
});

test("completion is told with the link, and recorded in the audit log without it", async () => {
	const job = await at.site.create({ export_type: "pages" });
	await at.site.app.jobs.runDue();
	assert.deepEqual(
		at.told.map(({ type, siteId, data }) => [type, siteId, data]),
		[
			[
				"export.completed",
				"shop",
				{
					export_id: job.job_id,
					export_type: "pages",
					row_count: 2,
					file_size_bytes: job.file_size_bytes,
					download_url: job.download_url,
					expires_at: "2026-11-22T12:00:00.000Z",
				},
			],
		],
	);
	const entries = await at.site.app.metadata
		.withTables<Tables>()
		.selectFrom("audit_log")
		.select(["resource_id", "site_id", "details"])
		.where("action", "=", "export.created")
		.where("resource_id", "=", job.job_id)
		.execute();
	assert.deepEqual(
		entries.map(({ details, ...entry }) => ({ ...entry, details: JSON.parse(details) })),
		[
			{
				resource_id: job.job_id,
				site_id: "shop",
				details: { export_type: "pages", format: "csv", ...days, estimated_rows: 2 },
			},
		],
	);
	const token = /download\/([\w-]{43})/.exec(job.download_url)?.[1] ?? "none";
	const { rows } = await at.site.app.metadata
		.transaction()
		.execute(async (trx) => ({ rows: await trx.withTables<Tables>().selectFrom("exports").selectAll().execute() }));
	assert.equal(JSON.stringify(rows).includes(token), false, "the token is not in the store");
	assert.equal(at.site.app.logLines.join("").includes(token), false, "the token is in no log line");
});

test("API keys and viewers remove their own exports only, and an owner removes any", async () => {
	const { app, ann, call } = at.site;
	const key = async (name: string) => ({
		"x-api-key": (await call("POST /api-tokens", { name })).json().data.token as string,
	});
	const by = async (headers: Readonly<Record<string, string>>) => {
		const response = await call("POST /exports", { export_type: "pages", ...days }, { headers });
		assert.equal(response.statusCode, 201, response.body);
		return response.json().job.job_id as string;
	};
	const remove = async (id: string, headers: Readonly<Record<string, string>>) =>
		(await call(`DELETE /exports/${id}`, undefined, { headers })).statusCode;
	const [one, two] = [await key("one"), await key("two")];
	const [ofOne, ofAnn] = [await by(one), await by(ann.headers)];
	assert.equal(await remove(ofOne, two), 403);
	assert.equal(await remove(ofAnn, one), 403);
	assert.equal(await remove(ofOne, one), 204);
	const bob = await signIn(app, { email: "bob@example.com", name: "Bob" });
	await giveSiteRole(app, "shop", bob.userId, "viewer");
	assert.equal(await remove(ofAnn, bob.headers), 403);
	assert.equal(await remove(await by(bob.headers), bob.headers), 204);
	assert.equal(await remove(await by(bob.headers), ann.headers), 204);
});

test("after 24 hours an export is expired: no link, no file, listed only when asked for, removable", async () => {
	const job = await at.site.create({ export_type: "pages" });
	at.site.app.clock.advance(24 * 3_600_000 - 1);
	assert.equal((await at.site.download(job)).statusCode, 200);
	at.site.app.clock.advance(1);
	assert.equal((await at.site.download(job)).statusCode, 404);
	const headers = await renewSession(at.site.app, at.site.ann.userId);
	const get = async () => (await at.site.call(`GET /exports/${job.job_id}`, undefined, { headers })).json();
	const { status, download_url, file_size_bytes } = await get();
	assert.deepEqual([status, download_url, file_size_bytes], ["expired", null, job.file_size_bytes]);
	await at.site.app.jobs.runDue();
	assert.deepEqual(at.files(), []);
	const list = async (query: string) =>
		(await at.site.call(`GET /exports${query}`, undefined, { headers })).json().total;
	assert.deepEqual([await list(""), await list("?include_expired=true")], [0, 1]);
	assert.equal((await at.site.call(`DELETE /exports/${job.job_id}`, undefined, { headers })).statusCode, 204);
});

// The schedules go on from the latest moment of the file, so the clock of this test begins later.
test("without anybody asking, files go when their links end, and their exports after 30 days", async () => {
	await at.reset("2026-11-25T12:00:00.000Z");
	await at.site.create({ export_type: "pages" });
	await at.site.app.jobs.runDue();
	at.site.app.clock.advance(24 * 3_600_000 + 300_000);
	await at.site.app.jobs.runDue();
	assert.deepEqual(at.files(), []);
	const kept = () => at.site.app.metadata.withTables<Tables>().selectFrom("exports").select("status").execute();
	assert.deepEqual(await kept(), [{ status: "expired" }]);
	at.site.app.clock.advance(30 * 86_400_000);
	await at.site.app.jobs.runDue();
	assert.deepEqual(await kept(), []);
});
