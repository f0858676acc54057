import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { days, openQuerySite, type QuerySite } from "../../../../test/support/query-site.ts";

let site: QuerySite;

before(async () => {
	site = await openQuerySite();
});
after(() => site.app.close());

const exported = (body: object, query = "") =>
	site.post({ ...days, ...body }, { path: "/stats/query/export", query: `site_id=shop${query}` });

test("an export is a CSV file of the dimensions and metrics", async () => {
	const response = await exported({
		dimensions: ["utm_source"],
		metrics: ["entrances", "engaged_entrances", "revenue"],
	});
	assert.equal(response.statusCode, 200, response.body);
	assert.equal(response.headers["content-type"], "text/csv; charset=utf-8");
	assert.equal(response.headers["content-disposition"], 'attachment; filename="export.csv"');
	assert.equal(response.headers["cache-control"], "no-store");
	assert.equal(
		response.body,
		"utm_source,entrances,engaged_entrances,revenue,bounce_rate\r\ngoogle,1,1,10,0\r\nnewsletter,1,0,10.01,100\r\n",
	);
});

test("a compared export names the period of each line in its first column", async () => {
	const response = await exported(
		{ granularity: "daily", metrics: ["entrances"], filters: { utm_source: "google" }, compare: "previous" },
		"&filename=Report_2026-11.csv",
	);
	assert.equal(response.headers["content-disposition"], 'attachment; filename="Report_2026-11.csv"');
	assert.equal(response.body, "period,date,entrances\r\ncurrent,2026-11-20,1\r\ncomparison,2026-11-19,1\r\n");
});

test("an export without rows is its head alone", async () => {
	const response = await exported({ dimensions: ["os", "hour"], metrics: ["revenue"], filters: { os: "BeOS" } });
	assert.equal(response.body, "os,hour,revenue\r\n");
});

test("an export of more rows than one batch holds has each of them once", async () => {
	await site.app.eventStore.command(`
		INSERT INTO events (site, date, hour, ts, session, kind, utm_source, utm_content, page_view)
		SELECT 'empty', toDate('2026-11-20'), 1, now64(3), number, 'pageview', concat('=s', toString(number % 30000)),
			repeat('x', 500), 1
		FROM numbers(60000)`);
	const body = { ...days, dimensions: ["utm_source"], metrics: ["page_views"], limit: 100_000 };
	const url = "/api/v1/stats/query/export?site_id=empty";
	const response = await site.app.inject({ method: "POST", url, headers: site.ann.headers, payload: body });
	const lines = response.body.split("\r\n");
	assert.equal(lines.length, 30_002);
	assert.equal(new Set(lines).size, 30_002);
	assert.deepEqual([lines[0], lines[1], lines.at(-1)], ["utm_source,page_views", "'=s0,2", ""]);
	const few = await site.app.inject({
		method: "POST",
		url,
		headers: site.ann.headers,
		payload: { ...body, limit: 2, offset: 9 },
	});
	assert.equal(few.body.split("\r\n").length, 4);
});

test("exports wait for each other without holding up queries, and a reader who leaves gives the place back", async () => {
	const address = await site.app.address();
	// More than sockets buffer, so that a reader who does not read holds its place.
	const asked = { dimensions: ["utm_source", "utm_content"], metrics: ["page_views"], limit: 100_000 };
	const body = JSON.stringify({ ...days, ...asked });
	const headers = { ...site.ann.headers, "content-type": "application/json" };
	const request = { method: "POST", headers, body };
	const start = () => fetch(`${address}/api/v1/stats/query/export?site_id=empty`, request);
	// As many as one caller may read at a time.
	const readers = await Promise.all([start(), start()]);
	assert.deepEqual(
		readers.map(({ status }) => status),
		[200, 200],
	);
	const third = start();
	assert.equal((await site.post(days)).statusCode, 200);
	await Promise.all(readers.map((reader) => reader.body?.cancel()));
	const text = await (await third).text();
	assert.equal(text.split("\r\n").length, 30_002);
});

test("a file name that headers or systems do not take is refused with 422", async () => {
	for (const name of ["a b.csv", "a/b.csv", 'a".csv', "ñ.csv", "", "x".repeat(101)]) {
		const response = await exported({}, `&filename=${encodeURIComponent(name)}`);
		assert.deepEqual([response.statusCode, response.json().error.detail[0].field], [422, "query.filename"], name);
	}
});
