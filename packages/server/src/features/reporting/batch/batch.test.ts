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
const ts = Date.parse("2026-11-20T10:00:00Z");

before(async () => {
	app = await testApp();
	ann = await signIn(app);
	bob = await signIn(app, { email: "bob@example.com", name: "Bob" });
	await createSite(app, ann);
	await createSite(app, ann, { name: "Tokyo", timezone: "Asia/Tokyo" });
	await createSite(app, ann, { name: "Large" });
	await createSite(app, bob, { name: "Other" });
	await insertRows(app.eventStore, [
		pageviewRow({ site: "shop", ts, entrance: 1, utm_source: "google" }),
		pageviewRow({ site: "shop", ts: ts + 1000, path: "/cart", utm_source: "google" }),
		pageviewRow({ site: "tokyo", ts, entrance: 1 }),
	]);
});
after(() => app.close());

type Query = Readonly<Record<string, unknown>>;

const site = { site_id: "shop" };
const query = (id: string, more: Query = {}): Query => ({ id, endpoint: "/stats/overview", params: site, ...more });
const bad = { params: { ...site, period: "8d" } };

const send = (payload: object, path = "/batch", headers: Readonly<Record<string, string>> = ann.headers) =>
	app.inject({ method: "POST", url: `/api/v1${path}`, headers: { ...headers }, payload });

async function post(queries: readonly Query[], options: object = {}) {
	const response = await send({ queries, options });
	return { status: response.statusCode, body: response.json() };
}

async function statuses(queries: readonly Query[], options: object = {}) {
	const { body } = await post(queries, options);
	const results = Object.entries<{ status: string }>(body.results);
	return { ...Object.fromEntries(results.map(([id, { status }]) => [id, status])), batch: body.status };
}

test("each query gets the whole answer of its route", async () => {
	const days = { ...site, start_date: "2026-11-20", end_date: "2026-11-20" };
	const open = { ...site, date_from: "2026-11-20", date_to: "2026-11-20", dimensions: ["utm_source"] };
	const { status, body } = await post([
		query("sources", { endpoint: "/stats/sources", params: { ...days, include_totals: true, utm_source: ["google"] } }),
		query("open", { endpoint: "/stats/query", params: { ...open, metrics: ["page_views"] } }),
		query("alias", { params: { account_id: "shop", period: "today", compare: null } }),
	]);
	assert.deepEqual([status, body.status, body.timestamp], [200, "completed", "2026-11-21T12:00:00.000Z"]);
	assert.match(body.batch_id, /^[0-9a-f-]{36}$/);
	assert.deepEqual(Object.keys(body.results), ["sources", "open", "alias"]);
	const { sources, open: asked, alias } = body.results;
	assert.deepEqual(Object.keys(sources), ["status", "data", "timing_ms"]);
	assert.deepEqual([sources.data.total, sources.data.data[0].page_views, sources.data.totals.page_views], [1, 2, 2]);
	assert.deepEqual(asked.data.data, [{ utm_source: "google", page_views: 2 }]);
	assert.deepEqual([alias.data.success, alias.data.data.traffic.page_views], [true, 0]);
	const { total_timing_ms: ms, ...meta } = body.meta;
	assert.ok(Number.isInteger(ms) && ms >= 0);
	assert.deepEqual(meta, { total_queries: 3, successful: 3, failed: 0, skipped: 0, parallel_execution: true });
});

test("a funnel of steps can be asked in a batch; without steps it is that by source", async () => {
	const funnel = (id: string, more: object) => query(id, { endpoint: "/stats/funnel", params: { ...site, ...more } });
	const steps = { steps: ["/", "/cart"], name: "To the cart" };
	const { results } = (await post([funnel("steps", steps), funnel("sources", {}), funnel("short", { steps: ["/"] })]))
		.body;
	const { name, steps: done } = results.steps.data.data;
	assert.deepEqual([name, done.map(({ count }: { count: number }) => count)], ["To the cart", [1, 1]]);
	assert.equal(results.sources.status, "success");
	assert.deepEqual([results.short.error.code, results.short.error.detail[0].field], ["validation_error", "body.steps"]);
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
	const foreign = { site_id: "other", date_from: "2026-11-20", date_to: "2026-11-20" };
	const { status, body } = await post([
		query("own"),
		query("foreign", { params: { site_id: "other" } }),
		query("foreign_open", { endpoint: "/stats/query", params: foreign }),
		query("unknown", { params: { site_id: "nowhere" } }),
		query("missing", { params: {} }),
		query("period", bad),
		query("object", { params: { ...site, filters: { a: 1 } } }),
		query("dimension", { endpoint: "/stats/query", params: { ...site, dimensions: ["Source"] } }),
	]);
	assert.deepEqual([status, body.status], [200, "partial"]);
	const { own, ...failed } = body.results;
	assert.equal(own.status, "success");
	type Failed = {
		readonly status: string;
		readonly error: { code: string; message: string; detail?: { field: string }[] };
	};
	const told = Object.entries<Failed>(failed).map(([id, { status: outcome, error }]) => [
		...[id, outcome, error.code],
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
	const key = async (scope: string) => {
		const payload = { name: "test", scopes: [scope], account_ids: ["shop"] };
		return { "x-api-key": (await send(payload, "/api-tokens")).json().data.token };
	};
	const queries = [query("shop"), query("tokyo", { params: { site_id: "tokyo" } })];
	const { results } = (await send({ queries }, "/batch", await key("stats:read"))).json();
	assert.deepEqual([results.shop.status, results.tokyo.error.code], ["success", "forbidden"]);
	const other = await send({ queries }, "/batch", await key("sites:read"));
	assert.deepEqual([other.statusCode, other.json().error.code], [403, "forbidden"]);
	assert.equal((await send({ queries }, "/batch", {})).statusCode, 401);
	const foreign = await send({ queries }, "/batch", bob.headers);
	assert.deepEqual([foreign.statusCode, foreign.json().status], [200, "failed"]);
});

test("a browser's session may run a batch with its CSRF token, once for all queries", async () => {
	const login = { email: bob.email, password: "correct horse battery staple 7" };
	const signedIn = await send(login, "/auth/token", {});
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

test("a query waits for those it depends on and fails with them, in one answer or in a line of its own as it ends", async () => {
	const queries = [
		query("last", { depends_on: ["second"] }),
		query("second", { depends_on: ["first"] }),
		query("first", bad),
		query("behind", { depends_on: ["free"] }),
		query("free"),
	];
	const { body } = await post(queries, { include_timing: false });
	const failed = { status: "dependency_failed" };
	const { first, free, behind, ...skipped } = body.results;
	assert.deepEqual(skipped, { last: failed, second: failed });
	assert.deepEqual([first.status, first.error.code, free.status], ["error", "validation_error", "success"]);
	assert.deepEqual(
		[Object.keys(first), Object.keys(behind)],
		[
			["status", "error"],
			["status", "data"],
		],
	);
	assert.deepEqual([body.status, body.meta.successful, body.meta.failed, body.meta.skipped], ["partial", 2, 1, 2]);
	const answer = await send({ queries, options: { include_timing: false } }, "/batch", {
		...ann.headers,
		accept: "application/x-ndjson, application/json;q=0.5",
	});
	assert.equal(answer.headers["content-type"], "application/x-ndjson");
	assert.ok(answer.body.endsWith("}\n"));
	const lines = answer.body
		.trimEnd()
		.split("\n")
		.map((line) => JSON.parse(line));
	const end = lines.pop();
	assert.deepEqual(Object.fromEntries(lines.map(({ id, ...rest }) => [id, rest])), body.results);
	const order = lines.map(({ id }) => id);
	assert.ok(order.indexOf("free") < order.indexOf("behind"));
	assert.deepEqual([end.status, end.results, end.timestamp], ["partial", undefined, "2026-11-21T12:00:00.000Z"]);
	assert.deepEqual([end.meta.total_queries, end.meta.successful, end.meta.failed, end.meta.skipped], [5, 2, 1, 2]);
	const alone = await post([query("b", { depends_on: ["a"] }), query("a")]);
	assert.deepEqual([alone.body.status, alone.body.meta.parallel_execution], ["completed", false]);
});

test("fail_fast begins nothing after an error, and a dry run nothing at all", async () => {
	const queries = [
		query("bad", bad),
		query("next"),
		query("behind", { depends_on: ["bad"] }),
		query("later", { depends_on: ["next"] }),
	];
	const none = { next: "skipped", later: "skipped" };
	const failed = { ...none, bad: "error", behind: "dependency_failed", batch: "failed" };
	assert.deepEqual(await statuses(queries, { fail_fast: true, parallel_limit: 1 }), failed);
	const dry = { ...none, bad: "skipped", behind: "skipped", batch: "completed" };
	assert.deepEqual(await statuses(queries, { dry_run: true }), dry);
});

test("a valid batch is told in its order and in groups that may run together", async () => {
	const queries = [
		query("d", { depends_on: ["b", "c"] }),
		query("a", { endpoint: "/stats/microconversions/sign up" }),
		query("b", { depends_on: ["a"] }),
		query("c", { params: {}, depends_on: ["a", "a"] }),
		query("e", { endpoint: "/stats/query" }),
	];
	assert.deepEqual((await send({ queries }, "/batch/validate")).json(), {
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

test("the reports that a batch may ask are these, judged as the router reads their path, and no others are served", async () => {
	const { paths } = JSON.parse(JSON.stringify(app.app.swagger()));
	const served = Object.keys(paths).filter((path) => path.startsWith("/api/v1/stats/") && "get" in paths[path]);
	assert.deepEqual(
		served.map((path) => path.slice("/api/v1".length)).sort(),
		[...batchReports, ...notForBatches].sort(),
		"a new report belongs into one of the two lists",
	);
	const params = { ...site, property_key: "color" };
	const named = batchReports.map((path) => path.replace("{type}", "signup"));
	const endpoints = [...named, "/stats/%6fverview", "/stats/microconversions/sign%20up"];
	assert.deepEqual(await statuses(endpoints.map((endpoint, at) => query(`q${at}`, { endpoint, params }))), {
		...Object.fromEntries(endpoints.map((_, at) => [`q${at}`, "success"])),
		batch: "completed",
	});
});

const notAllowed = [
	...notForBatches,
	..."/stats/microconversions/%72aw /stats/microconversions/r%61w /stats/%6dicroconversions/%72%61%77".split(" "),
	..."/stats/conversions/%72aw /stats/conversion-items/ra%77 /stats/%61ggregate/overview".split(" "),
	..."/stats/microconversions%2fraw /stats/microconversions/signup/raw /%73ites /stats/%71uery /stats/%".split(" "),
	..."/stats/microconversions/%ff /stats/query/export /stats /stats/ /stats/nothing /stats/overview/".split(" "),
	..."/stats/overview?site_id=shop /stats/overview# /stats/../sites /stats/microconversions/..".split(" "),
	..."/stats/microconversions/%2e%2e /stats\\overview //stats/overview /sites /batch".split(" "),
	..."/api/v1/stats/overview stats/overview https://example.com/stats/overview".split(" "),
	"",
];

/** Queries with a fault in one that is called `a`, and where it is. */
const faulty: readonly (readonly [queries: readonly Query[], field: string])[] = [
	[[query("a"), query("a")], "body.queries.1.id"],
	[[query("a", { depends_on: ["b"] })], "body.queries.0.depends_on.0"],
	[[query("a", { depends_on: ["a"] })], "body.queries.0.depends_on"],
	[[query("free"), query("a", { depends_on: ["b"] }), query("b", { depends_on: ["a"] })], "body.queries.1.depends_on"],
	...notAllowed.map((endpoint) => [[query("ok"), query("a", { endpoint })], "body.queries.1.endpoint"] as const),
];

test("a batch of faulty queries is 422, and not valid", async () => {
	for (const [queries, field] of faulty) {
		// Whatever form was asked for.
		const answer = await send({ queries }, "/batch", { ...ann.headers, accept: "application/x-ndjson" });
		const { error } = answer.json();
		assert.deepEqual([answer.statusCode, error?.code, error?.detail[0].field], [422, "validation_error", field]);
		const checked = (await send({ queries }, "/batch/validate")).json();
		assert.deepEqual([checked.valid, checked.errors[0].query_id], [false, "a"], JSON.stringify(queries));
		assert.deepEqual([checked.execution_order, checked.parallel_groups], [[], []]);
	}
	const queries = [query("a", { depends_on: ["b"] }), query("a")];
	assert.deepEqual((await send({ queries }, "/batch/validate")).json().errors, [
		{ query_id: "a", message: "The batch has no query b to depend on" },
		{ query_id: "a", message: "Another query has the id a" },
	]);
});

test("a batch of another shape is 422 on both routes", async () => {
	for (const path of ["/batch", "/batch/validate"]) {
		const answer = await send({ queries: [query("1a")] }, path);
		assert.deepEqual([answer.statusCode, answer.json().error?.detail[0].field], [422, "body.queries.0.id"], path);
	}
});

test("the answers of a batch are held up to 64 MB; what would be beyond is refused by itself, and no more is asked", async () => {
	// Quotes take two characters in an answer: two megabytes a thousand rows.
	const pages = Array.from({ length: 1000 }, (_, at) => `/${'"'.repeat(1000)}${1000 + at}`);
	const rows = pages.map((path) => pageviewRow({ site: "large", ts, path }));
	await insertRows(app.eventStore, rows);
	const large = { endpoint: "/stats/pages", params: { site_id: "large", page_size: 1000 } };
	const queries = [...Array.from({ length: 40 }, (_, at) => query(`q${at}`, large)), query("small")];
	const asked = () => app.logLines.filter((line) => line.includes("/stats/pages")).length;
	const before = asked();
	const { results, meta } = (await post(queries, { parallel_limit: 1 })).body;
	assert.deepEqual([meta.successful, meta.failed], [32, 9]);
	assert.equal(results.q31.data.data.length, 1000);
	for (const id of ["q32", "q39", "small"]) {
		const { code, message } = results[id].error;
		assert.equal(code, "payload_too_large", id);
		assert.match(message, /64 MB/);
	}
	assert.equal(asked() - before, 33);
});
