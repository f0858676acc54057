import assert from "node:assert/strict";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { after, test } from "node:test";
import { collectingSite } from "../../../../test/support/collecting-site.ts";
import { listenLocally } from "../../../../test/support/local-server.ts";
import { migrations } from "./store.ts";

const login = { email: "ann@old.example", password: "a password of the older service" };
const base = { source: "google", medium: "organic", country: "ES", device: "mobile" };

/** Rows of the older service by kind: two pages of page views, and a few events. */
const reports: Readonly<Record<string, readonly object[]>> = {
	pageviews: Array.from({ length: 1001 }, (_, at) => ({
		...{ ...base, date: `2026-10-0${(at % 3) + 1}`, page: `/p${at}`, landing_page: "/" },
		...{ entrances: 1, engaged_entrances: 0, page_views: 2 },
	})),
	conversions: [{ ...base, date: "2026-10-01", type: "order", conversions: 3, revenue: "99.90" }],
	microconversions: [
		{ ...base, date: "2026-10-02", type: "signup", microconversions: 7 },
		{ ...base, type: "signup", microconversions: 1 },
	],
};

/** Requests to the older service, the status that it fails with, and what happens before it answers a report. */
const legacy: { requests: string[]; failure?: number | undefined; onReport?: (() => Promise<void>) | undefined } = {
	requests: [],
};
const TOKEN = "a-token-that-lives-long";
const server = createServer(async (request, response) => {
	legacy.requests.push(`${request.method} ${request.url}`);
	const { pathname, searchParams } = new URL(request.url ?? "/", "http://legacy");
	const answer = (status: number, value: unknown, total?: number) => {
		const headers = { "content-type": "application/json", ...(total !== undefined && { "x-total-count": total }) };
		response.writeHead(status, headers).end(JSON.stringify(value));
	};
	if (legacy.failure !== undefined) return answer(legacy.failure, { error: "away" });
	if (pathname === "/api/auth/login") {
		const form = new URLSearchParams(await text(request));
		const isRight = form.get("username") === login.email && form.get("password") === login.password;
		return isRight ? answer(200, { access_token: TOKEN, token_type: "bearer" }) : answer(401, { error: "login" });
	}
	if (request.headers.authorization !== `Bearer ${TOKEN}`) return answer(401, { error: "token" });
	if (pathname === "/api/auth/accounts") return answer(200, [{ id: "acc_1", name: "Old shop" }]);
	if (searchParams.get("account_id") !== "acc_1") return answer(404, {});
	await legacy.onReport?.();
	const rows = reports[pathname.replace("/api/report/", "")] ?? [];
	const skip = Number(searchParams.get("skip"));
	return answer(200, rows.slice(skip, skip + Number(searchParams.get("limit"))), rows.length);
});
const { port, close } = await listenLocally(server);
after(close);

const asked = { v1_account_id: "acc_1", date_from: "2026-10-01", date_to: "2026-10-31", migrate_pageviews: true };
const credentials = { v1_email: login.email, v1_password: login.password };

const here = collectingSite({ env: { LEGACY_API_URL: `http://127.0.0.1:${port}/` } });
const { call } = here;
const start = (change: object = {}) =>
	call(`POST /migration/accounts/${here.site}/jobs`, { ...credentials, ...asked, ...change });
const jobOf = async (id: number) => (await call(`GET /migration/jobs/${id}`)).data;
const sealedLogin = async (id: number) => (await migrations.find(here.app.metadata, { id }))?.sealed_login;
const totals = async () => {
	const { traffic } = (await call("GET /stats/overview?start_date=2026-10-01&end_date=2026-10-31")).data;
	const { entrances, page_views, conversions, microconversions, revenue } = traffic;
	return { entrances, page_views, conversions, microconversions, revenue };
};

const nothing = { entrances: 0, page_views: 0, conversions: 0, microconversions: 0, revenue: 0 };

test("figures of the older service come over as an import, with progress, and the password goes", async () => {
	const made = await start();
	assert.equal(made.status, 201);
	assert.deepEqual(Object.keys(made.data), ["job_id", "status", "message"]);
	const { job_id } = made.data;
	const sealed = await sealedLogin(job_id);
	assert.ok(sealed && !sealed.includes(login.password));
	assert.equal((await start()).status, 409);
	await here.app.jobs.runDue();
	assert.equal(await sealedLogin(job_id), null);
	const { id, import_id, created_at, started_at, completed_at, ...rest } = await jobOf(job_id);
	const kinds = { migrate_conversions: true, migrate_microconversions: true };
	assert.deepEqual(rest, { account_id: here.site, ...asked, ...kinds, status: "completed", progress: 100 });
	assert.ok(id === job_id && created_at && started_at && completed_at);
	const { data: progress } = await call(`GET /migration/jobs/${job_id}/progress`);
	assert.deepEqual(progress.pageviews_progress, { total: 1001, migrated: 1001, percent: 100 });
	assert.deepEqual(progress.conversions_progress, { total: 1, migrated: 1, percent: 100 });
	assert.equal(progress.overall_percent, 100);
	const came = { entrances: 1001, page_views: 2002, conversions: 3, microconversions: 7, revenue: 99.9 };
	assert.deepEqual(await totals(), came);
	const { source, report } = (await call(`GET /imports/${import_id}`)).data;
	assert.equal(source, "legacy_service");
	assert.deepEqual(report.skip_reasons, [{ reason: "malformed", count: 1, sample_lines: [4], samples: [] }]);
	assert.equal((await call(`GET /migration/accounts/${here.site}/jobs`)).data.total, 1);
	assert.match((await start()).error.message, /undo import/);
	assert.equal((await call(`POST /migration/jobs/${job_id}/cancel`)).status, 409);
	assert.equal((await call(`POST /imports/${import_id}/undo`)).status, 200);
	assert.deepEqual(await totals(), nothing);
	assert.equal((await start({ migrate_pageviews: false })).status, 201);
	await here.app.jobs.runDue();
	assert.deepEqual(await totals(), { ...came, entrances: 0, page_views: 0 });
	const secondPage = "account_id=acc_1&date_range=2026-10-01%2C2026-10-31&skip=1000&limit=1000";
	assert.ok(legacy.requests.includes(`GET /api/report/pageviews?${secondPage}`));
	assert.ok(!here.app.logLines.join("").includes(login.password));
});

test("a job is cancelled while it fetches, and nothing of it stays", async () => {
	const { job_id } = (await start()).data;
	legacy.onReport = async () => {
		legacy.onReport = undefined;
		assert.equal((await call(`GET /migration/jobs/${job_id}/progress`)).data.status, "running");
		assert.equal((await call(`POST /migration/jobs/${job_id}/cancel`)).status, 200);
	};
	await here.app.jobs.runDue();
	assert.equal((await jobOf(job_id)).status, "cancelled");
	assert.equal(await sealedLogin(job_id), null);
	assert.deepEqual(await totals(), nothing);
	assert.equal((await start()).status, 201);
});

test("a wrong password ends the job with a reason, a server that is away is asked again", async () => {
	const wrong = (await start({ v1_password: "wrong" })).data;
	await here.app.jobs.runDue();
	const failed = (await call(`GET /migration/jobs/${wrong.job_id}/progress`)).data;
	const reason = "The older service did not accept the email and password";
	assert.deepEqual([failed.status, failed.error_message], ["failed", reason]);
	const { job_id } = (await start()).data;
	legacy.failure = 500;
	await here.app.jobs.runDue();
	assert.equal((await jobOf(job_id)).status, "running");
	legacy.failure = undefined;
	here.app.clock.advance(600_000);
	await here.app.jobs.runDue();
	assert.equal((await jobOf(job_id)).status, "completed");
	assert.equal((await totals()).entrances, 1001);
});

test("a connection is tried before a job is begun", async () => {
	const attempt = async (change: object) =>
		(await call("POST /migration/test-connection", { ...login, account_id: "acc_1", ...change })).data;
	assert.deepEqual(await attempt({}), { valid: true, account_name: "Old shop", error: null });
	assert.match((await attempt({ password: "wrong" })).error, /did not accept/);
	assert.match((await attempt({ account_id: "acc_2" })).error, /does not show/);
	legacy.failure = 500;
	assert.match((await attempt({})).error, /status 500/);
	legacy.failure = undefined;
});

test("a job for days to come, of no kind of data or of a site that cannot be is refused", async () => {
	assert.equal((await start({ date_from: "2026-11-01" })).status, 400);
	const none = { migrate_conversions: false, migrate_microconversions: false, migrate_pageviews: false };
	assert.equal((await start(none)).status, 400);
	assert.equal((await start({ v1_account_id: "a b" })).status, 422);
});
