import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createSite, type Session, signIn } from "../../../../test/support/accounts.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";

let app: TestApp;
let ann: Session;

before(async () => {
	app = await testApp();
	ann = await signIn(app);
	await createSite(app, ann);
});
after(() => app.close());

type Query = Readonly<Record<string, unknown>>;

const query = (id: string, more: Query = {}): Query => ({
	id,
	endpoint: "/stats/overview",
	params: { site_id: "shop" },
	...more,
});

async function post(queries: readonly Query[], path = "/batch") {
	const url = `/api/v1${path}`;
	const response = await app.inject({ method: "POST", url, headers: ann.headers, payload: { queries } });
	return { status: response.statusCode, body: response.json() };
}

const notAllowed = [
	"/stats/conversions/raw",
	"/stats/microconversions/raw",
	"/stats/conversion-items/raw",
	"/stats/aggregate/overview",
	"/stats/aggregate/sources",
	"/stats/microconversions/%72aw",
	"/stats/microconversions/r%61w",
	"/stats/%6dicroconversions/%72%61%77",
	"/stats/conversions/%72aw",
	"/stats/conversion-items/ra%77",
	"/stats/%61ggregate/overview",
	"/stats/microconversions%2fraw",
	"/stats/microconversions/signup/raw",
	"/%73ites",
	"/stats/%71uery",
	"/stats/%",
	"/stats/microconversions/%ff",
	"/stats/query/export",
	"/stats",
	"/stats/",
	"/stats/nothing",
	"/stats/overview/",
	"/stats/overview?site_id=shop",
	"/stats/overview#",
	"/stats/../sites",
	"/stats/microconversions/..",
	"/stats/microconversions/%2e%2e",
	"/stats\\overview",
	"//stats/overview",
	"/sites",
	"/batch",
	"/api/v1/stats/overview",
	"stats/overview",
	"https://example.com/stats/overview",
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
		const { status, body } = await post(queries);
		assert.deepEqual([status, body.error?.code, body.error?.detail[0].field], [422, "validation_error", field]);
		const checked = await post(queries, "/batch/validate");
		const { valid, errors, execution_order, parallel_groups } = checked.body;
		assert.deepEqual([checked.status, valid, errors[0].query_id], [200, false, "a"], JSON.stringify(queries));
		assert.deepEqual([execution_order, parallel_groups], [[], []]);
	}
});

test("what is wrong with a batch is told by its names", async () => {
	const { body } = await post([query("a", { depends_on: ["b"] }), query("a")], "/batch/validate");
	assert.deepEqual(body.errors, [
		{ query_id: "a", message: "The batch has no query b to depend on" },
		{ query_id: "a", message: "Another query has the id a" },
	]);
});

const misshapen: readonly (readonly [object, string])[] = [
	[{ queries: [] }, "body.queries"],
	[{}, "body.queries"],
	[{ queries: Array.from({ length: 51 }, (_, at) => query(`q${at}`)) }, "body.queries"],
	[{ queries: [query("1a")] }, "body.queries.0.id"],
	[{ queries: [query("a".repeat(65))] }, "body.queries.0.id"],
	[{ queries: [{ id: "a" }] }, "body.queries.0.endpoint"],
	[{ queries: [query("a", { params: [] })] }, "body.queries.0.params"],
	[{ queries: [query("a", { depends_on: "b" })] }, "body.queries.0.depends_on"],
	[{ queries: [query("a")], options: { parallel_limit: 11 } }, "body.options.parallel_limit"],
	[{ queries: [query("a")], options: { parallel_limit: 0 } }, "body.options.parallel_limit"],
	[{ queries: [query("a")], options: { fail_fast: "yes" } }, "body.options.fail_fast"],
];

test("a batch of another shape is 422 on both routes", async () => {
	for (const [payload, field] of misshapen) {
		for (const url of ["/api/v1/batch", "/api/v1/batch/validate"]) {
			const response = await app.inject({ method: "POST", url, headers: ann.headers, payload });
			assert.deepEqual([response.statusCode, response.json().error?.detail[0].field], [422, field], url);
		}
	}
});
