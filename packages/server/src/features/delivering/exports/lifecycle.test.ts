import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Tables } from "../../../../migrations/metadata/tables/index.ts";
import { signIn } from "../../../../test/support/accounts.ts";
import { auditTrail } from "../../../../test/support/audit-trail.ts";
import { days, type Job } from "../../../../test/support/export-site.ts";
import { renewSession } from "../../../../test/support/renew-session.ts";
import { giveSiteRole, takeSiteRole } from "../../../../test/support/site-roles.ts";
import { orders, watchedExports } from "../../../../test/support/watched-exports.ts";
import type { ExportStatus } from "./store.ts";

const at = watchedExports();

type Headers = Readonly<Record<string, string>>;

const tables = () => at.site.app.metadata.withTables<Tables>();
const toldTypes = () => at.told.map(({ type }) => type);
const remove = async (id: string, headers: Headers = at.site.ann.headers) =>
	(await at.site.call(`DELETE /exports/${id}`, undefined, { headers })).statusCode;
const createdBy = async (headers: Headers): Promise<Job> =>
	(await at.site.call("POST /exports", { export_type: "pages", ...days }, { headers })).json().job;
const createPages = () => at.site.create({ export_type: "pages" });
/** The id of an export of so many rows that waits for its turn. */
async function waiting(rows: number): Promise<string> {
	await at.site.addConversions(rows);
	return (await at.askForOrders()).json().job.job_id;
}
/** The id of an export that is brought into a state. */
async function exportIn(status: ExportStatus): Promise<string> {
	const { job_id: jobId } = await createPages();
	await tables().updateTable("exports").set({ status }).where("job_id", "=", jobId).execute();
	return jobId;
}
/** What came of an export: its status, and why it failed. */
async function endOf(id: string) {
	const { status, error_message } = await at.site.job(id);
	return [status, error_message];
}

test("an export of 9,999 rows is made within the request, one of 10,000 in the background; above, nothing is streamed", async () => {
	const { app, ...site } = at.site;
	await site.addConversions(9_999);
	assert.equal((await site.create(orders)).status, "completed");
	const jobs = tables().selectFrom("jobs").select("kind");
	assert.deepEqual(await jobs.where("kind", "=", "export").where("state", "=", "pending").execute(), []);
	await site.addConversions(1, "2026-11-21");
	const { job, estimate, message } = (await at.askForOrders()).json();
	assert.deepEqual(
		[job.status, job.estimated_rows, job.actual_rows, job.download_url, job.started_at, job.progress_percent],
		["pending", 10_000, null, null, null, 0],
	);
	assert.equal(estimate.will_use_background_job, false);
	assert.match(message, /in the background/);
	assert.equal((await site.call("POST /exports/stream", orders)).body.split("\r\n").length, 10_002);
	await app.jobs.runDue();
	const done = await site.job(job.job_id);
	assert.deepEqual([done.status, done.actual_rows, done.progress_percent], ["completed", 10_000, 100]);
	const lines = (await site.download(done)).body.split("\r\n");
	assert.equal(lines[1], '2026-11-20,order,0,"{""n"":""0""}"');
	assert.deepEqual([lines.length, new Set(lines).size], [10_002, 10_002], "no row comes twice");
	await site.addConversions(1, "2026-11-19");
	const stream = await site.call("POST /exports/stream", orders);
	assert.deepEqual([stream.statusCode, Object.keys(stream.json())], [413, ["detail"]]);
	assert.match(stream.json().detail, /POST \/exports /);
	assert.equal((await site.call("POST /exports/estimate", orders)).json().will_use_background_job, true);
});

test("while its rows are counted an export is estimating, then generating and advancing, without a link", async () => {
	const id = await waiting(200_000);
	const seen: (readonly [status: string, percent: number])[] = [];
	const look = async () => {
		const { status, started_at, download_url, progress_percent } = await at.site.job(id);
		assert.deepEqual([started_at, download_url], ["2026-11-21T12:00:00.000Z", null]);
		seen.push([status, Number(progress_percent)]);
	};
	at.beforeCount = look;
	at.beforePiece = look;
	await at.site.app.jobs.runDue();
	assert.equal((await at.site.job(id)).status, "completed");
	const [counted, ...written] = seen;
	assert.deepEqual([counted, new Set(written.map(([status]) => status))], [["estimating", 0], new Set(["generating"])]);
	const percents = written.map(([, percent]) => percent);
	const expected = percents.toSorted((a, b) => a - b);
	assert.deepEqual(percents, expected);
	assert.ok(new Set(percents).size > 10, `${new Set(percents).size} different percents`);
	assert.ok(Math.max(...percents) < 100);
});

/** The status that the removal of an export answers in each state. */
const removals: Readonly<Record<ExportStatus, number>> = {
	pending: 204,
	estimating: 409,
	generating: 409,
	completed: 204,
	failed: 204,
	expired: 204,
};
for (const [status, answer] of Object.entries(removals) as [ExportStatus, number][]) {
	test(`DELETE answers ${answer} for an export that is ${status}`, async () => {
		const jobId = await exportIn(status);
		assert.equal(await remove(jobId), answer);
		assert.equal((await at.site.call(`GET /exports/${jobId}`)).statusCode, answer === 204 ? 404 : 200);
	});
}

test("an export that waits is never made once it was removed; a completed one goes with its file and its link", async () => {
	const id = await waiting(10_000);
	assert.deepEqual([await remove(id), await remove(id)], [204, 404]);
	await at.site.app.jobs.runDue();
	assert.deepEqual([at.files(), at.told], [[], []]);
	const job = await createPages();
	assert.deepEqual([at.files().length, await remove(job.job_id)], [1, 204]);
	assert.equal((await at.site.download(job)).statusCode, 404);
	await at.site.app.jobs.runDue();
	assert.deepEqual(at.files(), []);
});

test("an export that has ended is never made again", async () => {
	const jobIds = await Array.fromAsync(["completed", "failed", "expired"] as const, exportIn);
	const jobs = () => Array.fromAsync(jobIds, at.site.job);
	const before = await jobs();
	// Now somebody else would make them if the processes that began had ended.
	at.site.app.clock.advance(10 * 60_000);
	at.beforeCount = () => assert.fail("rows were counted again");
	await at.site.app.jobs.runDue();
	assert.deepEqual(await jobs(), before);
	assert.equal(at.told.length, jobIds.length);
});

test("an export is audited, and its completion announced with the link, whose token is in no table and no log line", async () => {
	const { job_id, download_url, file_size_bytes } = await createPages();
	await at.site.app.jobs.runDue();
	const [told, ...others] = at.told;
	assert.deepEqual([told?.type, told?.siteId, others], ["export.completed", "shop", []]);
	assert.deepEqual(told?.data, {
		...{ export_id: job_id, export_type: "pages", row_count: 2, file_size_bytes, download_url },
		expires_at: "2026-11-22T12:00:00.000Z",
	});
	const [created] = (await auditTrail(at.site.app, "export.created")).filter(({ resource }) => resource === job_id);
	const details = { export_type: "pages", format: "csv", ...days, estimated_rows: 2 };
	assert.deepEqual([created?.user, created?.site, created?.details], [at.site.ann.userId, "shop", details]);
	const token = /download\/([\w-]{43})/.exec(download_url)?.[1] ?? "none";
	for (const table of ["exports", "audit_log"] as const) {
		const rows = JSON.stringify(await tables().selectFrom(table).selectAll().execute());
		assert.deepEqual([rows.includes(job_id), rows.includes(token)], [true, false], table);
	}
	assert.ok(!at.site.app.logLines.join("").includes(token));
});

test("API keys and viewers remove their own exports only, an owner any; a link outlives the membership of who asked for it", async () => {
	const { app, ann, call } = at.site;
	const key = async (name: string) => ({ "x-api-key": (await call("POST /api-tokens", { name })).json().data.token });
	const bob = await signIn(app, { email: "bob@example.com", name: "Bob" });
	await giveSiteRole(app, "shop", bob.userId, "viewer");
	const callers = [await key("one"), await key("two"), ann.headers, bob.headers] as const;
	const [one, two, , ofBob] = callers;
	const [first, , owners, bobs] = await Array.fromAsync(callers, async (by) => (await createdBy(by)).job_id);
	const removed = async (id = "", by: Headers = ann.headers) => remove(id, by);
	const found = [await removed(first, two), await removed(owners, one), await removed(owners, ofBob)];
	assert.deepEqual(found, [403, 403, 403]);
	assert.deepEqual([await removed(first, one), await removed(bobs, ofBob)], [204, 204]);
	const job = await createdBy(ofBob);
	await takeSiteRole(app, "shop", bob.userId);
	assert.equal((await at.site.download(job)).statusCode, 200);
	assert.equal(await removed(job.job_id), 204);
});

test("after 24 hours an export is expired: no link, no file, listed only when asked for", async () => {
	const job = await createPages();
	at.site.app.clock.advance(24 * 3_600_000 - 1);
	assert.equal((await at.site.download(job)).statusCode, 200);
	at.site.app.clock.advance(1);
	assert.equal((await at.site.download(job)).statusCode, 404);
	const headers = await renewSession(at.site.app, at.site.ann.userId);
	const get = async (path: string) => (await at.site.call(`GET /exports${path}`, undefined, { headers })).json();
	const { status, download_url, file_size_bytes } = await get(`/${job.job_id}`);
	assert.deepEqual([status, download_url, file_size_bytes], ["expired", null, job.file_size_bytes]);
	await at.site.app.jobs.runDue();
	assert.deepEqual([at.files(), (await get("")).total, (await get("?include_expired=true")).total], [[], 0, 1]);
});

test("an export that cannot succeed ends as failed, is told once, and leaves no file", async () => {
	at.beforePiece = async () => {
		throw Object.assign(new Error("at 10.0.0.1: visitor ann@example.com"), { code: "ENOSPC" });
	};
	const job = await createPages();
	const error_message = "The file could not be stored";
	assert.deepEqual([job.status, job.error_message, job.download_url], ["failed", error_message, null]);
	await at.site.app.jobs.runDue();
	const [told, ...others] = at.told;
	const data = { export_id: job.job_id, export_type: "pages", error_message, failed_at: "2026-11-21T12:00:00.000Z" };
	assert.deepEqual([told?.type, told?.siteId, told?.data, others], ["export.failed", "shop", data, []]);
	assert.deepEqual(at.files(), []);
	assert.doesNotMatch(at.site.app.logLines.join(""), /ann@example\.com.*visitor|10\.0\.0\.1/);
});

for (const [title, recovers, expected] of [
	["in the background a failure that may pass is tried again three times, then the export is failed", false, "failed"],
	["one that recovers completes with all its rows, and the files of its broken attempts are gone", true, "completed"],
] as const) {
	test(title, async () => {
		const id = await waiting(20_000);
		let attempts = 0;
		at.beforePiece = async () => {
			attempts++;
			throw new Error("gone");
		};
		for (const [index, ms] of [0, 20_000, 80_000].entries()) {
			at.site.app.clock.advance(ms);
			await at.site.app.jobs.runDue();
			assert.deepEqual([attempts, (await at.site.job(id)).status], [index + 1, "generating"]);
		}
		if (recovers) at.beforePiece = async () => {};
		at.site.app.clock.advance(300_000);
		await at.site.app.jobs.runDue();
		const { status, actual_rows } = await at.site.job(id);
		assert.deepEqual([status, actual_rows, attempts], [expected, recovers ? 20_000 : null, recovers ? 3 : 4]);
		assert.deepEqual([at.files().length, toldTypes()], [recovers ? 1 : 0, [`export.${expected}`]]);
	});
}

test("an export that is taken over while its first maker still writes is completed once", async () => {
	const id = await waiting(20_000);
	let pieces = 0;
	at.beforePiece = async () => {
		// Another process took it over: it writes to a file of its own.
		if (pieces++ === 0) await tables().updateTable("exports").set({ file_name: "another.csv" }).execute();
	};
	await at.site.app.jobs.runDue();
	assert.equal((await at.site.job(id)).status, "generating");
	assert.deepEqual([at.files(), at.told], [[], []]);
});

test("an export that grows over its plan while it waits fails", async () => {
	await at.plan("growth");
	const id = await waiting(99_999);
	await at.site.addConversions(2, "2026-11-21");
	await at.site.app.jobs.runDue();
	assert.deepEqual(await endOf(id), ["failed", "The plan allows exports of 100000 rows"]);
});

test("an export whose process ended in each of four attempts is failed, told once, and leaves no half file", async () => {
	const id = await waiting(10_000);
	const directory = join(at.site.app.config.dataDir, "exports");
	mkdirSync(directory);
	writeFileSync(join(directory, "half.csv.part"), "date,");
	await tables().updateTable("exports").set({ status: "generating", file_name: "half.csv" }).execute();
	const left = { state: "running", attempts: 4, lease: "a process that ended" } as const;
	await tables().updateTable("jobs").set(left).where("kind", "=", "export").execute();
	await at.site.app.jobs.runDue();
	assert.deepEqual(await endOf(id), ["failed", "The export could not be made"]);
	assert.deepEqual([at.files(), toldTypes()], [[], ["export.failed"]]);
});

// The schedules go on from the latest moment of the file, so the clock of this test begins later.
test("without anybody asking, files go when their links end, and their exports after 30 days", async () => {
	await at.reset("2026-11-25T12:00:00.000Z");
	await createPages();
	at.beforePiece = () => Promise.reject(Object.assign(new Error("full"), { code: "ENOSPC" }));
	await createPages();
	await at.site.app.jobs.runDue();
	at.site.app.clock.advance(24 * 3_600_000 + 300_000);
	await at.site.app.jobs.runDue();
	assert.deepEqual(at.files(), []);
	const kept = () => tables().selectFrom("exports").select("status").execute();
	assert.deepEqual(await kept(), [{ status: "expired" }, { status: "failed" }]);
	at.site.app.clock.advance(30 * 86_400_000);
	await at.site.app.jobs.runDue();
	assert.deepEqual(await kept(), []);
});

// The last one of the file: the service does no further jobs.
test("a service that closes leaves the export to the next start, and the attempt does not count", async () => {
	const { app } = at.site;
	const id = await waiting(200_000);
	let closing: Promise<void> | undefined;
	at.beforePiece = async () => {
		closing ??= app.jobs.close();
	};
	await app.jobs.runDue();
	await closing;
	assert.deepEqual([(await at.site.job(id)).status, at.files()], ["generating", []]);
	const jobs = tables().selectFrom("jobs").select(["attempts", "state"]);
	const left = await jobs.where("kind", "=", "export").executeTakeFirstOrThrow();
	assert.deepEqual(left, { attempts: 0, state: "pending" });
});
