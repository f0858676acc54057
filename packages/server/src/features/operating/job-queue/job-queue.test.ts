import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { signIn } from "../../../../test/support/accounts.ts";
import { auditTrail } from "../../../../test/support/audit-trail.ts";
import { mailbox } from "../../../../test/support/mailbox.ts";
import { testApp } from "../../../../test/support/test-app.ts";
import { JobFailure } from "../../../platform/jobs/job-failure.ts";

let isMended = false;
const app = await testApp();
const root = await signIn(app, { email: "root@example.com", role: "superadmin" });
app.jobs.register("greet", async (payload) => {
	if (!isMended && payload !== "Ann") throw new JobFailure("nobody is at home", { isFinal: true });
});
for (const payload of ["Ann", "the secret word"]) {
	await app.jobs.enqueue(app.metadata, { kind: "greet", payload });
}
await app.jobs.runDue();
await app.jobs.enqueue(app.metadata, { kind: "later", runAt: app.clock.now() + 60_000 });
after(() => app.close());

const list = async (query = "") =>
	(await app.inject({ url: `/api/v1/admin/jobs?${query}`, headers: root.headers })).json().data;
const retry = (id: number) =>
	app.inject({ method: "POST", url: `/api/v1/admin/jobs/${id}/retry`, headers: root.headers });
const greet = "kind=greet";
const noon = "2026-11-21T12:00:00.000Z";

test("superadmins see what waits, was done and was given up, and why, but never what a job holds", async () => {
	const { jobs, ...pages } = await list(greet);
	assert.deepEqual(pages, { total: 2, page: 1, page_size: 50, total_pages: 1 });
	const [failed, done] = jobs;
	assert.deepEqual(failed, {
		id: done.id + 1,
		kind: "greet",
		status: "failed",
		attempts: 1,
		next_run_at: null,
		last_error: "nobody is at home",
		created_at: noon,
		finished_at: noon,
	});
	assert.deepEqual([done.status, done.attempts, done.last_error, done.finished_at], ["done", 1, null, noon]);
	assert.doesNotMatch(JSON.stringify(await list()), /secret word/);
	const [later] = (await list("status=pending&kind=later")).jobs;
	assert.deepEqual([later.status, later.attempts, later.next_run_at], ["pending", 0, "2026-11-21T12:01:00.000Z"]);
});

test("the list is asked by state, by kind and by page", async () => {
	const statusesOf = async (query: string) =>
		(await list(query)).jobs.map(({ kind, status }: { kind: string; status: string }) => `${kind} ${status}`);
	assert.deepEqual(await statusesOf("status=failed"), ["greet failed"]);
	assert.deepEqual(await statusesOf("status=done&kind=greet"), ["greet done"]);
	assert.deepEqual(await statusesOf("kind=nothing"), []);
	assert.deepEqual(await statusesOf(`${greet}&page_size=1&page=2`), ["greet done"]);
	assert.equal((await list(`${greet}&page_size=1`)).total_pages, 2);
	const refused = await app.inject({ url: "/api/v1/admin/jobs?status=lost", headers: root.headers });
	assert.equal(refused.statusCode, 422);
});

test("a job that was given up begins anew, which is recorded; no other one does", async () => {
	const [failed, done] = (await list(greet)).jobs;
	isMended = true;
	const answer = await retry(failed.id);
	assert.equal(answer.statusCode, 200, answer.body);
	const { status, attempts, next_run_at: next, last_error: error } = answer.json().data;
	assert.deepEqual([status, attempts, next, error], ["pending", 0, noon, "nobody is at home"]);
	const [{ action, user, resource, details } = assert.fail()] = await auditTrail(app, "job.");
	const told = [action, user, resource, details];
	assert.deepEqual(told, ["job.retried", root.userId, String(failed.id), { kind: "greet" }]);
	await app.jobs.runDue();
	for (const job of (await list(greet)).jobs) assert.deepEqual([job.status, job.last_error], ["done", null]);
	for (const [id, code, message] of [
		[done.id, "conflict", "The job has not failed: done"],
		[987_654, "not_found", "Job not found"],
	] as const) {
		const refused = await retry(id);
		assert.deepEqual([refused.json().error.code, refused.json().error.message], [code, message]);
	}
	assert.equal((await auditTrail(app, "job.")).length, 1);
});

const health = async () => (await app.inject({ method: "GET", url: "/health" })).json();

test("/health says how mails leave", async () => {
	assert.equal((await health()).checks.mailer.message, "mails are written to DATA_DIR/outbox");
	await app.mailer.queue(app.metadata, { to: "ann@example.com", subject: "Hello", body: ["Hello"] });
	assert.equal((await mailbox(app).to("ann@example.com")).length, 1);
});

test("jobs that nobody does for ten minutes degrade the service, until somebody does them", async () => {
	await app.mailer.queue(app.metadata, { to: "ann@example.com", subject: "Hello", body: ["Hello"] });
	app.clock.advance(10 * 60_000);
	assert.equal((await health()).status, "healthy");
	app.clock.advance(1);
	const late = await health();
	assert.deepEqual([late.status, late.checks.queue.status], ["degraded", "unhealthy"]);
	await app.jobs.runDue();
	assert.equal((await health()).status, "healthy");
});

test("an outbox that cannot be written degrades the service", async () => {
	const outbox = join(app.config.dataDir, "outbox");
	rmSync(outbox, { recursive: true });
	writeFileSync(outbox, "a file in the way");
	const broken = await health();
	assert.deepEqual([broken.status, broken.checks.mailer.status], ["degraded", "unhealthy"]);
	assert.equal(broken.checks.mailer.message, "not reachable");
});
