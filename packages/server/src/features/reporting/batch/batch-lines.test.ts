import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createSite, type Session, signIn } from "../../../../test/support/accounts.ts";
import { pageviewRow } from "../../../../test/support/event-rows.ts";
import { insertRows } from "../../../../test/support/oracle-app.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";

let app: TestApp;
let ann: Session;
before(async () => {
	app = await testApp();
	ann = await signIn(app);
	await createSite(app, ann);
	const ts = Date.parse("2026-11-20T10:00:00Z");
	await insertRows(app.eventStore, [
		pageviewRow({ site: "shop", ts, session: "1", path: "/", entrance: 1 }),
		pageviewRow({ site: "shop", ts: ts + 1000, session: "1", path: "/cart" }),
		pageviewRow({ site: "shop", ts, session: "2", path: "/", entrance: 1 }),
	]);
});
after(() => app.close());

const params = { site_id: "shop", period: "7d" };
const overview = (id: string, more: object = {}) => ({ id, endpoint: "/stats/overview", params, ...more });

const post = (payload: object, accept?: string) =>
	app.inject({
		method: "POST",
		url: "/api/v1/batch",
		headers: { ...ann.headers, ...(accept !== undefined && { accept }) },
		payload,
	});

async function linesOf(payload: object) {
	const answer = await post(payload, "application/x-ndjson, application/json;q=0.5");
	assert.equal(answer.statusCode, 200, answer.body);
	assert.equal(answer.headers["content-type"], "application/x-ndjson");
	assert.ok(answer.body.endsWith("\n"));
	return answer.body
		.trimEnd()
		.split("\n")
		.map((line) => JSON.parse(line));
}

test("a batch answers a line a query as it ends, and the sums of the batch in the last one", async () => {
	const queries = [
		overview("first"),
		overview("second", { depends_on: ["first"] }),
		overview("wrong", { params: { ...params, period: "8d" } }),
		overview("lost", { depends_on: ["wrong"] }),
	];
	const lines = await linesOf({ queries });
	const end = lines.at(-1);
	assert.deepEqual([end.status, end.results, end.timestamp], ["partial", undefined, "2026-11-21T12:00:00.000Z"]);
	const { total_timing_ms: _, parallel_execution: __, ...meta } = end.meta;
	assert.deepEqual(meta, { total_queries: 4, successful: 2, failed: 1, skipped: 1 });
	const byId = new Map(lines.slice(0, -1).map((line) => [line.id, line]));
	assert.deepEqual([...byId.keys()].sort(), ["first", "lost", "second", "wrong"]);
	assert.equal(byId.get("first").data.data.traffic.page_views, 3);
	assert.equal(byId.get("wrong").error.code, "validation_error");
	assert.equal(byId.get("lost").status, "dependency_failed");
	const order = lines.map(({ id }) => id);
	assert.ok(order.indexOf("first") < order.indexOf("second"));
	assert.ok(lines.slice(0, -1).every((line) => Number.isInteger(line.timing_ms)));
});

test("each line says what the whole answer says of its query", async () => {
	const payload = {
		queries: [overview("week"), overview("none", { depends_on: ["week"] })],
		options: { include_timing: false },
	};
	const whole = (await post(payload)).json();
	const lines = await linesOf(payload);
	assert.deepEqual(Object.fromEntries(lines.slice(0, -1).map(({ id, ...rest }) => [id, rest])), whole.results);
});

test("a faulty batch is refused as always, whatever form was asked for", async () => {
	const answer = await post({ queries: [overview("a"), overview("a")] }, "application/x-ndjson");
	assert.deepEqual([answer.statusCode, answer.json().error.detail[0].field], [422, "body.queries.1.id"]);
});

test("a funnel of steps can be asked in a batch; without steps it is that by source", async () => {
	const endpoint = "/stats/funnel";
	const steps = { ...params, steps: ["/", "/cart"], name: "To the cart" };
	const { results } = (
		await post({
			queries: [
				{ id: "steps", endpoint, params: steps },
				{ id: "sources", endpoint, params },
				{ id: "short", endpoint, params: { ...params, steps: ["/"] } },
			],
		})
	).json();
	const { name, steps: done } = results.steps.data.data;
	assert.deepEqual([name, done.map(({ count }: { count: number }) => count)], ["To the cart", [2, 1]]);
	assert.equal(results.sources.status, "success");
	assert.deepEqual([results.short.error.code, results.short.error.detail[0].field], ["validation_error", "body.steps"]);
});
