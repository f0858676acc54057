import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { days, openQuerySite, type QuerySite } from "../../../../test/support/query-site.ts";

let site: QuerySite;
before(async () => {
	site = await openQuerySite();
});
after(() => site.app.close());

async function get(path: string) {
	const response = await site.app.inject({ url: `/api/v1${path}`, headers: site.ann.headers });
	assert.equal(response.statusCode, 200, response.body);
	return response;
}

/** The engine's milliseconds of a header. */
function engineTime(header: unknown): number {
	const [, ms] = /^engine;dur=(\d+\.\d)$/.exec(String(header)) ?? [];
	assert.ok(ms, String(header));
	return Number(ms);
}

const lists = ["/stats/sources", "/stats/sources/top", "/stats/pages/content-groups", "/stats/exit-pages"];

test("a list tells with explain the SQL that it asked, without values, and only then", async () => {
	for (const path of lists) {
		const query = "site_id=shop&start_date=2026-11-01&end_date=2026-11-21&utm_source=zqx";
		const plain = (await get(`${path}?${query}`)).json();
		assert.equal(plain.meta?.sql, undefined);
		const { meta } = (await get(`${path}?${query}&explain=true`)).json();
		assert.deepEqual(Object.keys(meta), ["sql", "engine_ms"]);
		assert.match(meta.sql, /^SELECT .*FROM events\b.*site = \{site:String\}.*utm_source IN \{f\d+:Array\(String\)\}/s);
		assert.doesNotMatch(meta.sql, /zqx|shop|2026/);
		assert.equal(typeof meta.engine_ms, "number");
	}
});

test("a list with lists inside its rows tells each of its statements", async () => {
	const { meta } = (await get("/stats/conversions?site_id=shop&explain=true")).json();
	assert.equal(meta.sql.split(";\n\n").length, 3);
});

test("a query tells its SQL in its meta, beside what else stands there", async () => {
	const body = { ...days, dimensions: ["country"], metrics: ["page_views"], compare: "previous" };
	const { meta } = (await site.post(body, { query: "site_id=shop&explain=true" })).json();
	assert.deepEqual([meta.total_rows, meta.dimensions, meta.metrics], [2, ["country"], ["page_views"]]);
	const [now, before, ...others] = meta.sql.split(";\n\n");
	assert.match(now, /^SELECT country,\n\tsum\(page_view\) AS page_views/);
	assert.deepEqual([before, others], [now, []]);
	const plain = (await site.post(body)).json();
	assert.deepEqual(Object.keys(plain.meta), ["total_rows", "has_more", "granularity", "dimensions", "metrics"]);
});

test("reports say how long the engine worked, and that it did not for an answer that was kept", async () => {
	const paths = ["overview", "devices", "exit-pages", "properties/keys", "funnel", "microconversions-types"];
	for (const path of paths) {
		const url = `/stats/${path}?site_id=shop&start_date=2026-10-30`;
		assert.ok(engineTime((await get(url)).headers["server-timing"]) > 0, path);
		assert.equal(engineTime((await get(url)).headers["server-timing"]), 0, path);
	}
	const query = await site.post({ ...days, dimensions: ["os"], date_from: "2026-10-30" });
	assert.ok(engineTime(query.headers["server-timing"]) > 0);
	const headers = (await get("/sites")).headers;
	assert.equal(headers["server-timing"], undefined);
});

test("a batch takes explanations of changes, and reports with their SQL", async () => {
	const change = { metric: "page_views", ...days, compare: "previous", dimensions: ["country"] };
	const response = await site.app.inject({
		method: "POST",
		url: "/api/v1/batch",
		headers: site.ann.headers,
		payload: {
			queries: [
				{ id: "why", endpoint: "/stats/explain", params: { site_id: "shop", imports: "exclude", ...change } },
				{ id: "sql", endpoint: "/stats/query", params: { site_id: "shop", explain: true, ...days } },
				{ id: "exits", endpoint: "/stats/exit-pages", params: { site_id: "shop" } },
			],
		},
	});
	const { results, status } = response.json();
	assert.equal(status, "completed", response.body);
	assert.deepEqual(results.why.data.data.total, { now: 3, before: 1, change: 2 });
	assert.deepEqual(results.why.data.data.dimensions[0].rows, [
		{ value: "ES", now: 2, before: 1, change: 1, share: 50 },
		{ value: "PT", now: 1, before: 0, change: 1, share: 50 },
	]);
	assert.match(results.sql.data.meta.sql, /^SELECT sum\(entrance\)/);
	assert.equal(results.exits.data.total, 2);
});
