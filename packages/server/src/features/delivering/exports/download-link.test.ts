import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { signIn } from "../../../../test/support/accounts.ts";
import { allowlistClient, OFFICE, OUTSIDE } from "../../../../test/support/allowlist-client.ts";
import { days, exportSite, type Job } from "../../../../test/support/export-site.ts";
import { BUCKET, startS3Peer } from "../../../../test/support/s3-peer.ts";
import { giveSiteRole, takeSiteRole } from "../../../../test/support/site-roles.ts";
import { testApp } from "../../../../test/support/test-app.ts";
import { openExports, watchedExports } from "../../../../test/support/watched-exports.ts";

const at = watchedExports();

/** The answer of an export's link to an address. */
const follow = async (job: Job, remoteAddress = OFFICE, { app } = at.site) => {
	const response = await app.inject({ url: job.download_url.replace(/^http:\/\/[^/]+/, ""), remoteAddress });
	return response.statusCode === 200 ? 200 : [response.statusCode, response.json().error.code];
};
const createdBy = async (headers: Readonly<Record<string, string>>): Promise<Job> =>
	(await at.site.call("POST /exports", { export_type: "pages", ...days }, { headers })).json().job;
const gone = [404, "not_found"];
const shut = [403, "forbidden"];

test("a link with another site, another token or a part of one leads nowhere", async () => {
	const job = await at.site.create({ export_type: "pages" });
	const { pathname } = new URL(job.download_url);
	for (const [url, status] of [
		[`${pathname}?account_id=shop`, 200],
		[`${pathname}?account_id=empty`, 404],
		[`${pathname}?account_id=nobody`, 404],
		[`${pathname.slice(0, -1)}?account_id=shop`, 404],
		[`${pathname.slice(0, -43)}${"A".repeat(43)}?account_id=shop`, 404],
		[`${pathname.slice(0, -43)}..%2f..%2fsecret.key?account_id=shop`, 404],
	] as const) {
		assert.equal((await at.site.app.inject({ url })).statusCode, status, url);
	}
});

test("a link opens where the site's IP allowlist admits those who asked for the file, and nowhere else", async () => {
	const { app, ann } = at.site;
	const list = allowlistClient(app, ann, "shop");
	const ofSession = await at.site.create({ export_type: "pages" });
	const headers = await list.key(["stats:read"]);
	const ofKey = await createdBy(headers);
	assert.equal(await follow(ofSession, OUTSIDE), 200);
	await list.allow(OFFICE);
	for (const job of [ofSession, ofKey]) {
		assert.equal(await follow(job), 200);
		assert.deepEqual(await follow(job, OUTSIDE), shut);
	}
	await list.call("PUT /settings", { is_enabled: true, enforce_for_dashboard: false });
	assert.equal(await follow(ofSession, OUTSIDE), 200);
	assert.deepEqual(await follow(ofKey, OUTSIDE), shut);
	const { data } = await list.call("GET /audit?denied_only=true");
	const denied = data.attempts.map((attempt: Record<string, unknown>) => `${attempt.ip_address} ${attempt.auth_type}`);
	assert.deepEqual(denied, [`${OUTSIDE} api_key`, `${OUTSIDE} jwt`]);
	await list.call("PUT /settings", { is_enabled: true, enforce_for_api_tokens: false });
	assert.equal(await follow(ofKey, OUTSIDE), 200);
	await list.call("PUT /settings", { is_enabled: false });
});

test("a deleted site suspends its links until it is restored, and fails the exports that wait", async () => {
	const job = await at.site.create({ export_type: "pages" });
	const change = (method: "DELETE" | "PATCH", body: object = {}) => at.site.call(`${method} /sites/shop`, body);
	assert.equal((await change("DELETE")).statusCode, 200);
	assert.deepEqual(await follow(job), gone);
	at.site.app.clock.advance(1000);
	assert.equal(await follow(await at.site.create({ export_type: "pages" })), 200);
	assert.deepEqual(await follow(job), gone);
	assert.equal((await change("PATCH", { is_active: true })).statusCode, 200);
	assert.equal(await follow(job), 200);
	await at.site.addConversions(10_000);
	const waiting = (await at.askForOrders()).json().job;
	await change("DELETE");
	await at.site.app.jobs.runDue();
	const { status, error_message } = await at.site.job(waiting.job_id);
	assert.deepEqual([status, error_message], ["failed", "The site was deleted"]);
	assert.ok(at.files().every((name) => !name.startsWith(waiting.job_id)));
	await change("PATCH", { is_active: true });
});

test("a deleted organization ends the links of all its sites", async (t) => {
	const { site } = await openExports();
	t.after(() => site.app.close());
	const job = await site.create({ export_type: "pages" });
	const [{ slug, name }] = (await site.call("GET /organizations")).json().data.organizations;
	assert.equal((await site.call(`DELETE /organizations/${slug}`, { name }, { query: "" })).statusCode, 200);
	assert.deepEqual(await follow(job, OFFICE, site), gone);
});

test("a link outlives the membership of whoever asked for the file: it is its own credential", async () => {
	const { app } = at.site;
	const bob = await signIn(app, { email: "bob@example.com", name: "Bob" });
	await giveSiteRole(app, "shop", bob.userId, "viewer");
	const { headers } = bob;
	const job = await createdBy(headers);
	await takeSiteRole(app, "shop", bob.userId);
	assert.equal((await at.site.call(`GET /exports/${job.job_id}`, undefined, { headers })).statusCode, 403);
	assert.equal(await follow(job), 200);
});

test("a link whose file is missing leads nowhere, and the operator is told", async () => {
	const job = await at.site.create({ export_type: "pages" });
	const { dataDir } = at.site.app.config;
	for (const name of at.files()) rmSync(join(dataDir, "exports", name));
	assert.deepEqual(await follow(job), gone);
	assert.match(at.site.app.logLines.join(""), /The file of an export is missing/);
});

test("links work on when SECRET_KEY changes; jobs show them as long as SECRET_KEY_PREVIOUS names the old one", async (t) => {
	const dataDir = mkdtempSync(join(tmpdir(), "footfall-export-secret-"));
	t.after(() => rmSync(dataDir, { recursive: true, force: true }));
	const SECRET_KEY_PREVIOUS = "the first secret of this service, long enough";
	const SECRET_KEY = "the second secret, long enough as well";
	const before = await testApp({ dataDir, env: { SECRET_KEY: SECRET_KEY_PREVIOUS } });
	const site = await exportSite(before);
	const { token } = (await site.call("POST /api-tokens", { name: "exports" })).json().data;
	const { job_id, download_url } = await site.create({ export_type: "pages" });
	await before.close();
	const url = download_url.replace(/^http:\/\/[^/]+/, "");
	for (const [env, shown] of [
		[{ SECRET_KEY, SECRET_KEY_PREVIOUS }, url],
		[{ SECRET_KEY }, undefined],
	] as const) {
		const app = await testApp({ dataDir, env: { ...env } });
		try {
			const request = { url: `/api/v1/exports/${job_id}?account_id=shop`, headers: { "x-api-key": token } };
			const job = (await app.inject(request)).json();
			assert.deepEqual([job.status, job.download_url?.slice(-url.length)], ["completed", shown]);
			assert.equal((await app.inject({ url })).statusCode, 200);
		} finally {
			await app.close();
		}
	}
});

const peer = await startS3Peer();
after(() => peer.close());

test("with S3_URL the file of an export lies in the bucket, comes by its link, and goes with the export", async (t) => {
	const app = await testApp({ env: { S3_URL: peer.url(`${BUCKET}/exports`) } });
	t.after(() => app.close());
	const site = await exportSite(app);
	const job = await site.create({ export_type: "pages" });
	assert.equal(job.status, "completed");
	assert.equal(peer.objects().length, 1);
	assert.match(String(peer.objects()[0]), new RegExp(`^exports/${job.job_id}-[0-9a-f]{8}\\.csv$`));
	const file = await site.download(job);
	assert.equal(file.rawPayload.length, job.file_size_bytes);
	assert.equal(file.headers["content-length"], String(job.file_size_bytes));
	await site.call(`DELETE /exports/${job.job_id}`);
	await site.app.jobs.runDue();
	assert.deepEqual([peer.objects(), peer.uploads()], [[], []]);
});

test("an export that the bucket refuses is failed without a word of why; the log names the answer and no part of the key", async (t) => {
	const app = await testApp({ env: { S3_URL: peer.url(`${BUCKET}/exports`, { secret: "a wrong secret" }) } });
	t.after(() => app.close());
	const site = await exportSite(app);
	const job = await site.create({ export_type: "pages" });
	assert.deepEqual([job.status, job.error_message], ["failed", "The file could not be stored"]);
	const log = site.app.logLines.join("");
	assert.match(log, /"code":"http_403"/);
	assert.doesNotMatch(log, /a wrong secret|a%20wrong%20secret|PEER/);
});
