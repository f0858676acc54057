import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createSite, signIn } from "../../../../test/support/accounts.ts";
import { legacyService } from "../../../../test/support/legacy-service.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";
import { findMigration } from "./store.ts";

const login = { email: "ann@old.example", password: "a password of the older service" };
const base = { source: "google", medium: "organic", country: "ES", device: "mobile" };

/** Two pages of page views, and a few events. */
const old = {
	...login,
	accounts: [{ id: "acc_1", name: "Old shop" }],
	reports: {
		pageviews: Array.from({ length: 1001 }, (_, at) => ({
			...base,
			date: `2026-10-${String((at % 3) + 1).padStart(2, "0")}`,
			page: `/p${at}`,
			landing_page: "/",
			entrances: 1,
			engaged_entrances: 0,
			page_views: 2,
		})),
		conversions: [{ ...base, date: "2026-10-01", type: "order", conversions: 3, revenue: "99.90" }],
		microconversions: [
			{ ...base, date: "2026-10-02", type: "signup", microconversions: 7 },
			{ ...base, type: "signup", microconversions: 1 },
		],
	},
};

const job = {
	v1_email: login.email,
	v1_password: login.password,
	v1_account_id: "acc_1",
	date_from: "2026-10-01",
	date_to: "2026-10-31",
	migrate_pageviews: true,
};

let legacy: Awaited<ReturnType<typeof legacyService>>;
let app: TestApp;
before(async () => {
	legacy = await legacyService(old);
	app = await testApp({ env: { LEGACY_API_URL: `${legacy.url}/` } });
});
after(async () => {
	await app.close();
	await legacy.close();
});

let tenants = 0;
/** A user with a site of their own. */
async function tenant() {
	tenants += 1;
	const ann = await signIn(app, { email: `ann-${tenants}@example.com` });
	const site = await createSite(app, ann, { name: "Shop" });
	const call = async (request: string, payload?: object) => {
		const [method = "GET", path = ""] = request.split(" ");
		const given = payload === undefined ? {} : { payload };
		const answer = await app.inject({ method: method as "GET", url: `/api/v1${path}`, headers: ann.headers, ...given });
		return { status: answer.statusCode, body: answer.json() };
	};
	const start = (change: object = {}) => call(`POST /migration/accounts/${site}/jobs`, { ...job, ...change });
	const totals = async () => {
		const { body } = await call(`GET /stats/overview?site_id=${site}&start_date=2026-10-01&end_date=2026-10-31`);
		const { entrances, page_views, conversions, microconversions, revenue } = body.data.traffic;
		return { entrances, page_views, conversions, microconversions, revenue };
	};
	return { ann, site, call, start, totals };
}

const nothing = { entrances: 0, page_views: 0, conversions: 0, microconversions: 0, revenue: 0 };

test("figures of the older service come over as an import, with progress, and the password goes", async () => {
	const { site, call, start, totals } = await tenant();
	const made = await start();
	assert.equal(made.status, 201);
	assert.deepEqual(Object.keys(made.body.data), ["job_id", "status", "message"]);
	const { job_id } = made.body.data;
	const stored = await findMigration(app.metadata, job_id);
	assert.ok(stored?.sealed_login && !stored.sealed_login.includes(login.password));
	assert.equal((await start()).status, 409);
	await app.jobs.runDue();
	assert.equal((await findMigration(app.metadata, job_id))?.sealed_login, null);
	const { id, import_id, created_at, started_at, completed_at, ...rest } = (await call(`GET /migration/jobs/${job_id}`))
		.body.data;
	assert.deepEqual(rest, {
		account_id: site,
		v1_account_id: "acc_1",
		date_from: "2026-10-01",
		date_to: "2026-10-31",
		migrate_conversions: true,
		migrate_microconversions: true,
		migrate_pageviews: true,
		status: "completed",
		progress: 100,
	});
	assert.ok(id === job_id && created_at && started_at && completed_at);
	const progress = (await call(`GET /migration/jobs/${job_id}/progress`)).body.data;
	assert.deepEqual(progress.pageviews_progress, { total: 1001, migrated: 1001, percent: 100 });
	assert.deepEqual(progress.conversions_progress, { total: 1, migrated: 1, percent: 100 });
	assert.equal(progress.overall_percent, 100);
	const came = { entrances: 1001, page_views: 2002, conversions: 3, microconversions: 7, revenue: 99.9 };
	assert.deepEqual(await totals(), came);
	const imported = (await call(`GET /imports/${import_id}?account_id=${site}`)).body.data;
	assert.equal(imported.source, "legacy_service");
	assert.deepEqual(imported.report.skip_reasons, [{ reason: "malformed", count: 1, sample_lines: [4], samples: [] }]);
	assert.deepEqual((await call(`GET /migration/accounts/${site}/jobs`)).body.data.total, 1);
	assert.match((await start()).body.error.message, /undo import/);
	assert.equal((await call(`POST /migration/jobs/${job_id}/cancel`)).status, 409);
	assert.equal((await call(`POST /imports/${import_id}/undo?account_id=${site}`)).status, 200);
	assert.deepEqual(await totals(), nothing);
	assert.equal((await start({ migrate_pageviews: false })).status, 201);
	await app.jobs.runDue();
	assert.deepEqual(await totals(), { ...nothing, conversions: 3, microconversions: 7, revenue: 99.9 });
	assert.ok(
		legacy.asked.includes(
			"GET /api/report/pageviews?account_id=acc_1&date_range=2026-10-01%2C2026-10-31&skip=1000&limit=1000",
		),
	);
	assert.ok(!app.logLines.join("").includes(login.password));
});

test("a job is cancelled while it fetches, and nothing of it stays", async () => {
	const { call, start, totals } = await tenant();
	const { job_id } = (await start()).body.data;
	legacy.onReport = async () => {
		legacy.onReport = undefined;
		const running = (await call(`GET /migration/jobs/${job_id}/progress`)).body.data;
		assert.equal(running.status, "running");
		assert.equal((await call(`POST /migration/jobs/${job_id}/cancel`)).status, 200);
	};
	await app.jobs.runDue();
	assert.equal((await call(`GET /migration/jobs/${job_id}`)).body.data.status, "cancelled");
	assert.equal((await findMigration(app.metadata, job_id))?.sealed_login, null);
	assert.deepEqual(await totals(), nothing);
	assert.equal((await start()).status, 201);
});

test("a wrong password ends the job with a reason, a server that is away is asked again", async () => {
	const { call, start, totals } = await tenant();
	const wrong = (await start({ v1_password: "wrong" })).body.data;
	await app.jobs.runDue();
	const failed = (await call(`GET /migration/jobs/${wrong.job_id}/progress`)).body.data;
	assert.equal(failed.status, "failed");
	assert.equal(failed.error_message, "The older service did not accept the e-mail and password");
	const { job_id } = (await start()).body.data;
	legacy.fail(500);
	await app.jobs.runDue();
	assert.equal((await call(`GET /migration/jobs/${job_id}`)).body.data.status, "running");
	legacy.fail(undefined);
	app.clock.advance(600_000);
	await app.jobs.runDue();
	assert.equal((await call(`GET /migration/jobs/${job_id}`)).body.data.status, "completed");
	assert.equal((await totals()).entrances, 1001);
});

test("a connection is tried before a job is begun", async () => {
	const { call } = await tenant();
	const attempt = (change: object) =>
		call("POST /migration/test-connection", { ...login, account_id: "acc_1", ...change }).then(({ body }) => body.data);
	assert.deepEqual(await attempt({}), { valid: true, account_name: "Old shop", error: null });
	assert.match((await attempt({ password: "wrong" })).error, /did not accept/);
	assert.match((await attempt({ account_id: "acc_2" })).error, /does not show/);
	legacy.fail(500);
	assert.match((await attempt({})).error, /status 500/);
	legacy.fail(undefined);
});

test("without LEGACY_API_URL every route says so", async () => {
	const without = await testApp();
	const ann = await signIn(without);
	const { headers } = ann;
	const url = `/api/v1/migration/accounts/${await createSite(without, ann)}/jobs`;
	for (const request of [{ url }, { url, method: "POST", payload: job }] as const) {
		const answer = await without.inject({ ...request, headers });
		assert.equal(answer.statusCode, 503);
		assert.match(answer.json().error.message, /LEGACY_API_URL/);
	}
	await without.close();
});

test("a job for days to come, of no kind of data or of a site that cannot be is refused", async () => {
	const other = await tenant();
	assert.equal((await other.start({ date_from: "2026-11-01" })).status, 400);
	const none = { migrate_conversions: false, migrate_microconversions: false, migrate_pageviews: false };
	assert.equal((await other.start(none)).status, 400);
	assert.equal((await other.start({ v1_account_id: "a b" })).status, 422);
});
