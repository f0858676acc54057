import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createSite, signIn } from "../../../../test/support/accounts.ts";
import { batchReports, notForBatches } from "../../../../test/support/batch-routes.ts";
import { pageviewRow } from "../../../../test/support/event-rows.ts";
import { insertRows } from "../../../../test/support/oracle-app.ts";
import { testApp } from "../../../../test/support/test-app.ts";
import { systemClock } from "../../../platform/lib/clock.ts";
import { type RouteAnswer, runBatch } from "./index.ts";
import type { BatchQuery } from "./schemas.ts";

const ts = Date.parse("2026-11-20T10:00:00Z");

const app = await testApp();
const ann = await signIn(app);
const bob = await signIn(app, { email: "bob@example.com", name: "Bob" });
await createSite(app, ann);
await createSite(app, ann, { name: "Tokyo", timezone: "Asia/Tokyo" });
await createSite(app, ann, { name: "Large" });
await createSite(app, bob, { name: "Other" });
await insertRows(app.eventStore, [
	pageviewRow({ site: "shop", ts, entrance: 1, utm_source: "google" }),
	pageviewRow({ site: "shop", ts: ts + 1000, path: "/cart", utm_source: "google" }),
	pageviewRow({ site: "tokyo", ts, entrance: 1 }),
]);
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

test("a foreign site, an unknown one and a wrong parameter are errors of their query alone", async () => {
	const { status, body } = await post([
		query("own"),
		query("foreign", { params: { site_id: "other" } }),
		query("unknown", { params: { site_id: "nowhere" } }),
		query("missing", { params: {} }),
		query("period", bad),
		query("object", { params: { ...site, filters: { a: 1 } } }),
		query("dimension", { endpoint: "/stats/query", params: { ...site, dimensions: ["Source"] } }),
	]);
	assert.deepEqual([status, body.status], [200, "partial"]);
	const { own, ...failed } = body.results;
	assert.equal(own.status, "success");
	type Failed = { readonly error: { code: string; message: string; detail?: { field: string }[] } };
	const told = Object.entries<Failed>(failed).map(([id, { error }]) =>
		[id, error.code, error.detail?.[0]?.field ?? error.message].join(": "),
	);
	assert.deepEqual(told, [
		"foreign: forbidden: Access denied to account: other",
		"unknown: account_not_found: Account not found",
		"missing: validation_error: query.site_id",
		"period: validation_error: query.period",
		"object: validation_error: query.filters",
		"dimension: validation_error: body.date_from",
	]);
	assert.deepEqual([body.meta.successful, body.meta.failed, body.meta.skipped], [1, 6, 0]);
});

test("a key opens its own sites only", async () => {
	const payload = { name: "test", scopes: ["stats:read"], account_ids: ["shop"] };
	const key = { "x-api-key": (await send(payload, "/api-tokens")).json().data.token };
	const queries = [query("shop"), query("tokyo", { params: { site_id: "tokyo" } })];
	const { results } = (await send({ queries }, "/batch", key)).json();
	assert.deepEqual([results.shop.status, results.tokyo.error.code], ["success", "forbidden"]);
});

test("a browser's session may run a batch with its CSRF token, once for all queries", async () => {
	const login = { email: bob.email, password: "correct horse battery staple 7" };
	const signedIn = await send(login, "/auth/token", {});
	const cookies = Object.fromEntries(signedIn.cookies.map(({ name, value }) => [name, value]));
	const open = { site_id: "other", date_from: "2026-11-20", date_to: "2026-11-20" };
	const payload = { queries: [query("open", { endpoint: "/stats/query", params: open })] };
	const headers = { "x-csrf-token": String(cookies.svc_csrf_token) };
	const answer = await app.inject({ method: "POST", url: "/api/v1/batch", cookies, payload, headers });
	assert.equal(answer.json().status, "completed");
});

test("a question that a batch asks in its caller's name is open to no other request at the same time", async () => {
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
	assert.deepEqual([Object.keys(first).join(), Object.keys(behind).join()], ["status,error", "status,data"]);
	assert.deepEqual([body.status, body.meta.successful, body.meta.failed, body.meta.skipped], ["partial", 2, 1, 2]);
	const headers = { ...ann.headers, accept: "application/x-ndjson, application/json;q=0.5" };
	const answer = await send({ queries, options: { include_timing: false } }, "/batch", headers);
	assert.equal(answer.headers["content-type"], "application/x-ndjson");
	assert.ok(answer.body.endsWith("}\n"));
	const [end, ...lines] = answer.body
		.trimEnd()
		.split("\n")
		.reverse()
		.map((line) => JSON.parse(line));
	assert.deepEqual(Object.fromEntries(lines.map(({ id, ...rest }) => [id, rest])), body.results);
	const order = lines.map(({ id }) => id);
	assert.ok(order.indexOf("free") > order.indexOf("behind"), "the last line comes first here");
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
	const { error } = (await send({ queries: [query("1a")] }, "/batch/validate")).json();
	assert.equal(error.detail[0].field, "body.queries.0.id");
});

test("the answers of a batch are held up to 64 MB; what would be beyond is refused by itself, and no more is asked", async () => {
	// Quotes take two characters in an answer: four megabytes four rows.
	const pages = Array.from({ length: 4 }, (_, at) => `/${'"'.repeat(500_000)}${at}`);
	const rows = pages.map((path) => pageviewRow({ site: "large", ts, path }));
	await insertRows(app.eventStore, rows);
	const large = { endpoint: "/stats/pages", params: { site_id: "large", page_size: 4 } };
	const queries = [...Array.from({ length: 20 }, (_, at) => query(`q${at}`, large)), query("small")];
	const asked = () => app.logLines.filter((line) => line.includes("/stats/pages")).length;
	const before = asked();
	const { results, meta } = (await post(queries, { parallel_limit: 1 })).body;
	assert.deepEqual([meta.successful, meta.failed], [16, 5]);
	assert.equal(results.q15.data.data.length, 4);
	for (const id of ["q16", "q19", "small"]) {
		const { code, message } = results[id].error;
		assert.equal(code, "payload_too_large", id);
		assert.match(message, /64 MB/);
	}
	assert.equal(asked() - before, 17);
});

const options = { fail_fast: false, dry_run: false, parallel_limit: 2 };

/** A batch whose routes answer when told to: its queries with those that they depend on. */
function begin(plan: Readonly<Record<string, string[]>>) {
	const own = { endpoint: "/stats/overview", params: {} };
	const queries = Object.entries(plan).map(([id, depends_on]): BatchQuery => ({ ...own, id, depends_on }));
	const asked: string[] = [];
	const answers = new Map<string, (answer: RouteAnswer) => void>();
	const ask = ({ id }: BatchQuery) => {
		asked.push(id);
		return new Promise<RouteAnswer>((resolve) => answers.set(id, resolve));
	};
	const timer = new AbortController();
	const batch = runBatch({ ask, signal: timer.signal, clock: systemClock }, queries, options);
	/** Answers, and lets the batch go on. */
	const answer = async (id: string) => {
		answers.get(id)?.({ status: "success", data: 1 });
		await new Promise((resolve) => setImmediate(resolve));
		return asked.join(" ");
	};
	return { asked, answer, batch, end: () => timer.abort() };
}

test("no more queries run at once than allowed, and each begins as soon as it may", async () => {
	const { asked, answer, batch } = begin({ a: [], b: [], c: [], d: ["a"], e: ["b", "d"] });
	assert.deepEqual(asked, ["a", "b"]);
	assert.equal(await answer("b"), "a b c");
	assert.equal(await answer("c"), "a b c");
	assert.equal(await answer("a"), "a b c d");
	assert.equal(await answer("d"), "a b c d e");
	await answer("e");
	const { outcomes, wasParallel } = await batch;
	assert.equal(wasParallel, true);
	assert.ok([...outcomes.values()].every(({ status }) => status === "success"));
});

test("when time is up the batch ends, and what did not finish is a timeout", async () => {
	const { asked, answer, batch, end } = begin({ a: [], b: [], c: [], d: ["a"] });
	await answer("b");
	end();
	const { outcomes } = await batch;
	assert.deepEqual(asked, ["a", "b", "c"]);
	const told = () =>
		["a", "b", "c", "d"].map((id) => {
			const outcome = outcomes.get(id);
			return outcome?.status === "error" ? outcome.error.code : outcome?.status;
		});
	const late = "gateway_timeout";
	assert.deepEqual(told(), [late, "success", late, late]);
	await answer("a");
	assert.deepEqual(told(), [late, "success", late, late]);
});
