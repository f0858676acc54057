import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createSite, type Session, signIn } from "../../../../test/support/accounts.ts";
import { batchReports, notForBatches } from "../../../../test/support/batch-routes.ts";
import { pageviewRow } from "../../../../test/support/event-rows.ts";
import { insertRows } from "../../../../test/support/oracle-app.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";

let app: TestApp;
let ann: Session;
let bob: Session;

before(async () => {
	app = await testApp();
	ann = await signIn(app);
	bob = await signIn(app, { email: "bob@example.com", name: "Bob" });
	await createSite(app, ann);
	await createSite(app, ann, { name: "Tokyo", domains: ["tokyo.example"], timezone: "Asia/Tokyo" });
	await createSite(app, bob, { name: "Other", domains: ["other.example"] });
	const ts = Date.parse("2026-11-20T10:00:00Z");
	await insertRows(app.eventStore, [
		pageviewRow({ site: "shop", ts, entrance: 1, utm_source: "google" }),
		pageviewRow({ site: "shop", ts, utm_source: "google" }),
		pageviewRow({ site: "tokyo", ts, entrance: 1 }),
	]);
});
after(() => app.close());

type Query = Readonly<Record<string, unknown>>;

const site = { site_id: "shop" };
const query = (id: string, more: Query = {}): Query => ({ id, endpoint: "/stats/overview", params: site, ...more });

async function post(
	queries: readonly Query[],
	{ options = {}, path = "/batch", headers = ann.headers as Record<string, string> } = {},
) {
	const payload = { queries, options };
	const response = await app.inject({ method: "POST", url: `/api/v1${path}`, headers, payload });
	return { status: response.statusCode, body: response.json() };
}

async function statuses(queries: readonly Query[], options: object = {}) {
	const { body } = await post(queries, { options });
	const results = Object.entries<{ status: string }>(body.results);
	return { ...Object.fromEntries(results.map(([id, { status }]) => [id, status])), batch: body.status };
}

test("each query gets the whole answer of its route", async () => {
	const days = { ...site, start_date: "2026-11-20", end_date: "2026-11-20" };
	const open = { ...site, date_from: "2026-11-20", date_to: "2026-11-20", dimensions: ["utm_source"] };
	const { status, body } = await post([
		query("sources", { endpoint: "/stats/sources", params: { ...days, include_totals: true, utm_source: ["google"] } }),
		query("open", { endpoint: "/stats/query", params: { ...open, metrics: ["page_views"] } }),
		query("alias", { endpoint: "/stats/overview", params: { account_id: "shop", period: "today", compare: null } }),
	]);
	assert.equal(status, 200);
	assert.match(body.batch_id, /^[0-9a-f-]{36}$/);
	assert.equal(body.status, "completed");
	assert.equal(body.timestamp, "2026-11-21T12:00:00.000Z");
	assert.deepEqual(Object.keys(body.results), ["sources", "open", "alias"]);
	const { sources, open: asked, alias } = body.results;
	assert.deepEqual(Object.keys(sources), ["status", "data", "timing_ms"]);
	assert.equal(sources.data.total, 1);
	assert.deepEqual([sources.data.data[0].page_views, sources.data.totals.page_views], [2, 2]);
	assert.deepEqual(asked.data.data, [{ utm_source: "google", page_views: 2 }]);
	assert.deepEqual([alias.data.success, alias.data.data.traffic.page_views], [true, 0]);
	const { total_timing_ms: ms, ...meta } = body.meta;
	assert.ok(Number.isInteger(ms) && ms >= 0);
	assert.deepEqual(meta, { total_queries: 3, successful: 3, failed: 0, skipped: 0, parallel_execution: true });
});

test("each query resolves its dates in the time zone of its own site", async () => {
	app.clock.set("2026-11-20T16:00:00.000Z");
	const today = (id: string) => query(id, { params: { site_id: id, period: "today" } });
	const { body } = await post([today("shop"), today("tokyo")]);
	app.clock.set("2026-11-21T12:00:00.000Z");
	assert.equal(body.results.shop.data.data.date_range.start_date, "2026-11-20");
	assert.equal(body.results.tokyo.data.data.date_range.start_date, "2026-11-21");
});

test("a foreign site, an unknown one and a wrong parameter are errors of their query alone", async () => {
	const { status, body } = await post([
		query("own"),
		query("foreign", { params: { site_id: "other" } }),
		query("foreign_open", {
			endpoint: "/stats/query",
			params: { site_id: "other", date_from: "2026-11-20", date_to: "2026-11-20" },
		}),
		query("unknown", { params: { site_id: "nowhere" } }),
		query("missing", { params: {} }),
		query("period", { params: { ...site, period: "8d" } }),
		query("object", { params: { ...site, filters: { a: 1 } } }),
		query("dimension", { endpoint: "/stats/query", params: { ...site, dimensions: ["Source"] } }),
	]);
	assert.deepEqual([status, body.status], [200, "partial"]);
	const { own, ...failed } = body.results;
	assert.equal(own.status, "success");
	const told = Object.entries<{
		status: string;
		error: { code: string; message: string; detail?: { field: string }[] };
	}>(failed).map(([id, { status: outcome, error }]) => [
		id,
		outcome,
		error.code,
		error.detail?.[0]?.field ?? error.message,
	]);
	assert.deepEqual(told, [
		["foreign", "error", "forbidden", "Access denied to account: other"],
		["foreign_open", "error", "forbidden", "Access denied to account: other"],
		["unknown", "error", "account_not_found", "Account not found"],
		["missing", "error", "validation_error", "query.site_id"],
		["period", "error", "validation_error", "query.period"],
		["object", "error", "validation_error", "query.filters"],
		["dimension", "error", "validation_error", "body.date_from"],
	]);
	assert.deepEqual([body.meta.successful, body.meta.failed, body.meta.skipped], [1, 7, 0]);
});

test("a key opens its own sites only, and needs the scope of reports", async () => {
	const key = async (scopes: string[], account_ids: string[]) => {
		const payload = { name: "test", scopes, account_ids };
		const request = { method: "POST", url: "/api/v1/api-tokens", headers: ann.headers, payload } as const;
		return { "x-api-key": (await app.inject(request)).json().data.token };
	};
	const queries = [query("shop"), query("tokyo", { params: { site_id: "tokyo" } })];
	const { body } = await post(queries, { headers: await key(["stats:read"], ["shop"]) });
	assert.deepEqual([body.results.shop.status, body.results.tokyo.error.code], ["success", "forbidden"]);
	const other = await post(queries, { headers: await key(["sites:read"], ["shop"]) });
	assert.deepEqual([other.status, other.body.error.code], [403, "forbidden"]);
	assert.equal((await post(queries, { headers: {} })).status, 401);
	const foreign = await post(queries, { headers: bob.headers as Record<string, string> });
	assert.deepEqual([foreign.status, foreign.body.status], [200, "failed"]);
});

test("a browser's session may run a batch with its CSRF token, once for all queries", async () => {
	const { email } = bob;
	const login = { email, password: "correct horse battery staple 7" };
	const signedIn = await app.inject({ method: "POST", url: "/api/v1/auth/token", payload: login });
	const cookies = Object.fromEntries(signedIn.cookies.map(({ name, value }) => [name, value]));
	const open = { site_id: "other", date_from: "2026-11-20", date_to: "2026-11-20" };
	const payload = { queries: [query("open", { endpoint: "/stats/query", params: open })] };
	const request = { method: "POST", url: "/api/v1/batch", cookies, payload } as const;
	assert.equal((await app.inject(request)).json().error.code, "csrf_failed");
	const headers = { "x-csrf-token": String(cookies.svc_csrf_token) };
	assert.equal((await app.inject({ ...request, headers })).json().status, "completed");
});

test("what a batch asks in its caller's name is open to no other request at the same time", async () => {
	const url = "/api/v1/stats/overview?site_id=shop";
	const [batch, ...others] = await Promise.all([
		post(Array.from({ length: 20 }, (_, at) => query(`q${at}`))),
		...Array.from({ length: 20 }, () => app.inject({ url })),
		...Array.from({ length: 20 }, () => app.inject({ url, headers: bob.headers })),
	]);
	assert.equal(batch.body.status, "completed");
	const codes = others.map((response) => response.statusCode);
	assert.deepEqual(codes, [...Array(20).fill(401), ...Array(20).fill(403)]);
});

const bad = { params: { ...site, period: "8d" } };

test("a query waits for those it depends on and fails with them", async () => {
	const chain = [
		query("last", { depends_on: ["second"] }),
		query("second", { depends_on: ["first"] }),
		query("first", bad),
		query("free"),
	];
	const failed = "dependency_failed";
	assert.deepEqual(await statuses(chain), {
		last: failed,
		second: failed,
		first: "error",
		free: "success",
		batch: "partial",
	});
	const { body } = await post(chain);
	assert.deepEqual(body.results.last, { status: failed, timing_ms: 0 });
	assert.deepEqual([body.meta.successful, body.meta.failed, body.meta.skipped], [1, 1, 2]);
	const well = [query("b", { depends_on: ["a"] }), query("a")];
	const done = await post(well);
	assert.deepEqual([done.body.status, done.body.meta.parallel_execution], ["completed", false]);
});

test("fail_fast begins nothing after an error", async () => {
	const queries = [
		query("bad", bad),
		query("next"),
		query("behind", { depends_on: ["bad"] }),
		query("later", { depends_on: ["next"] }),
	];
	assert.deepEqual(await statuses(queries, { fail_fast: true, parallel_limit: 1 }), {
		bad: "error",
		next: "skipped",
		behind: "dependency_failed",
		later: "skipped",
		batch: "failed",
	});
});

test("a dry run skips everything, and timing can be left out", async () => {
	assert.deepEqual(await statuses([query("a"), query("b", { depends_on: ["a"] })], { dry_run: true }), {
		a: "skipped",
		b: "skipped",
		batch: "completed",
	});
	const { body } = await post([query("a"), query("bad", bad)], { options: { include_timing: false } });
	assert.deepEqual(Object.keys(body.results.a), ["status", "data"]);
	assert.deepEqual(Object.keys(body.results.bad), ["status", "error"]);
});

test("a valid batch is told in its order and in groups that may run together", async () => {
	const queries = [
		query("d", { depends_on: ["b", "c"] }),
		query("a", { endpoint: "/stats/microconversions/sign up" }),
		query("b", { depends_on: ["a"] }),
		query("c", { params: {}, depends_on: ["a", "a"] }),
		query("e", { endpoint: "/stats/query" }),
	];
	assert.deepEqual((await post(queries, { path: "/batch/validate" })).body, {
		valid: true,
		query_count: 5,
		execution_order: ["a", "e", "b", "c", "d"],
		parallel_groups: [["a", "e"], ["b", "c"], ["d"]],
		errors: [],
		warnings: [
			{ query_id: "c", message: "Has neither site_id nor account_id in its params, so it will fail" },
			{ query_id: "c", message: "Names a dependency twice" },
		],
	});
});

test("the reports that a batch may ask are these, and all others that are read are refused", async () => {
	const { paths } = JSON.parse(JSON.stringify(app.app.swagger()));
	const served = Object.keys(paths).filter((path) => path.startsWith("/api/v1/stats/") && "get" in paths[path]);
	assert.deepEqual(
		served.map((path) => path.slice("/api/v1".length)).sort(),
		[...batchReports, ...notForBatches].sort(),
		"a new report belongs into one of the two lists",
	);
	const params = { ...site, property_key: "color" };
	const endpoints = batchReports.map((path) => path.replace("{type}", "signup"));
	const found = await statuses(endpoints.map((endpoint, at) => query(`q${at}`, { endpoint, params })));
	assert.deepEqual(found, {
		...Object.fromEntries(endpoints.map((_, at) => [`q${at}`, "success"])),
		batch: "completed",
	});
	for (const endpoint of notForBatches) {
		const { status, body } = await post([query("q", { endpoint })]);
		assert.deepEqual([status, body.error.detail[0].field], [422, "body.queries.0.endpoint"], endpoint);
	}
});

test("a route is judged as the router reads its path", async () => {
	const { body } = await post([
		query("q", { endpoint: "/stats/%6fverview" }),
		query("type", { endpoint: "/stats/microconversions/sign%20up" }),
	]);
	assert.deepEqual([body.results.q.status, body.results.type.status], ["success", "success"]);
});
