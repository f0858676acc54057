import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { signIn } from "../../../../test/support/accounts.ts";
import { allowlistClient, OFFICE, OUTSIDE } from "../../../../test/support/allowlist-client.ts";
import { days, exportSite, type Job } from "../../../../test/support/export-site.ts";
import { giveSiteRole, takeSiteRole } from "../../../../test/support/site-roles.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";
import { openExports, watchedExports } from "../../../../test/support/watched-exports.ts";

const at = watchedExports();

/** The answer of an export's link to an address. */
const get = (job: Job, remoteAddress: string, { app } = at.site) =>
	app.inject({ url: job.download_url.replace(/^http:\/\/[^/]+/, ""), remoteAddress });
const follow = async (job: Job, from = OFFICE, site = at.site) => {
	const response = await get(job, from, site);
	return response.statusCode === 200 ? 200 : [response.statusCode, response.json().error.code];
};
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
	const asked = await at.site.call("POST /exports", { export_type: "pages", ...days }, { headers });
	const ofKey = asked.json().job as Job;
	assert.equal(await follow(ofSession, OUTSIDE), 200);
	await list.allow(OFFICE);
	for (const job of [ofSession, ofKey]) {
		assert.equal(await follow(job), 200);
		assert.deepEqual(await follow(job, OUTSIDE), shut);
	}
	const refused = (await get(ofSession, OUTSIDE)).json().error.message;
	assert.equal(refused, "Access from this IP address is not allowed");
	await list.call("PUT /settings", { is_enabled: true, enforce_for_dashboard: false });
	assert.equal(await follow(ofSession, OUTSIDE), 200);
	assert.deepEqual(await follow(ofKey, OUTSIDE), shut);
	const { data } = await list.call("GET /audit?denied_only=true");
	assert.deepEqual(
		data.attempts.map((attempt: Record<string, unknown>) => [attempt.ip_address, attempt.auth_type, attempt.user_id]),
		["api_key", "jwt"].map((type) => [OUTSIDE, type, ann.userId]),
	);
	await list.call("PUT /settings", { is_enabled: true, enforce_for_api_tokens: false });
	assert.equal(await follow(ofKey, OUTSIDE), 200);
	await list.call("PUT /settings", { is_enabled: false });
});

test("a deleted site suspends its links until it is restored, and fails the exports that wait", async () => {
	const job = await at.site.create({ export_type: "pages" });
	const change = (method: "DELETE" | "PATCH", payload: object = {}) =>
		at.site.app.inject({ method, url: "/api/v1/sites/shop", headers: at.site.ann.headers, payload });
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
	assert.deepEqual(
		at.files().filter((name) => name.startsWith(waiting.job_id)),
		[],
	);
	await change("PATCH", { is_active: true });
});

test("a deleted organization ends the links of all its sites", async (t) => {
	const { site } = await openExports();
	t.after(() => site.app.close());
	const job = await site.create({ export_type: "pages" });
	const of = (method: "GET" | "DELETE", url: string, payload?: object) =>
		site.app.inject({ method, url: `/api/v1${url}`, headers: site.ann.headers, ...(payload && { payload }) });
	const [{ slug, name }] = (await of("GET", "/organizations")).json().data.organizations;
	assert.equal((await of("DELETE", `/organizations/${slug}`, { name })).statusCode, 200);
	assert.deepEqual(await follow(job, OFFICE, site), gone);
});

test("a link outlives the membership of whoever asked for the file: it is its own credential", async () => {
	const { app } = at.site;
	const bob = await signIn(app, { email: "bob@example.com", name: "Bob" });
	await giveSiteRole(app, "shop", bob.userId, "viewer");
	const headers = bob.headers;
	const job = (await at.site.call("POST /exports", { export_type: "pages", ...days }, { headers })).json().job as Job;
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

test("links work on when SECRET_KEY changes; jobs show them as long as SECRET_KEY_PREVIOUS names the old one", async () => {
	const dataDir = mkdtempSync(join(tmpdir(), "footfall-export-secret-"));
	const [first, second] = ["the first secret of this service, long enough", "the second secret, long enough as well"];
	const withSecrets = async <T>(env: Record<string, string>, work: (app: TestApp) => Promise<T>): Promise<T> => {
		const app = await testApp({ dataDir, env });
		try {
			return await work(app);
		} finally {
			await app.close();
		}
	};
	try {
		const made = await withSecrets({ SECRET_KEY: first }, async (app) => {
			const site = await exportSite(app);
			const { data } = (await site.call("POST /api-tokens", { name: "exports" })).json();
			return { job: await site.create({ export_type: "pages" }), headers: { "x-api-key": data.token as string } };
		});
		const path = made.job.download_url.replace(/^http:\/\/[^/]+/, "");
		const look = async (app: TestApp) => {
			const url = `/api/v1/exports/${made.job.job_id}?account_id=shop`;
			const { status, download_url } = (await app.inject({ method: "GET", url, headers: made.headers })).json();
			const shown = download_url === null ? null : download_url.endsWith(path);
			return [status, shown, (await app.inject({ method: "GET", url: path })).statusCode];
		};
		const both = { SECRET_KEY: second, SECRET_KEY_PREVIOUS: first };
		assert.deepEqual(await withSecrets(both, look), ["completed", true, 200]);
		assert.deepEqual(await withSecrets({ SECRET_KEY: second }, look), ["completed", null, 200]);
	} finally {
		rmSync(dataDir, { recursive: true, force: true });
	}
});
