import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { pageviewRow } from "../../../../test/support/event-rows.ts";
import { insertRows } from "../../../../test/support/oracle-app.ts";
import { days, openQuerySite, type QuerySite } from "../../../../test/support/query-site.ts";

let site: QuerySite;

const at = (date: string, hour: number) => ({ ts: Date.parse(`${date}T10:00:00Z`), site: "visits", date, hour });
const one = { ...at("2026-11-20", 9), session: "11", referrer: "news.example", landing_path: "/a" } as const;
const two = { ...at("2026-11-21", 9), session: "12", landing_path: "/b", path: "/b" } as const;

/** A visit from the news that reads two pages and buys on the second, one that signs up, and the news a day before. */
const visits = [
	pageviewRow({ ...one, path: "/a", entrance: 1 }),
	pageviewRow({ ...one, path: "/a", kind: "engaged", page_view: 0, engaged: 1 }),
	pageviewRow({ ...one, path: "/b", visit_seconds: 30 }),
	pageviewRow({
		...{ ...one, hour: 10, path: "/b", kind: "conversion", event_type: "sale", page_view: 0 },
		...{ conversion: 1, revenue: 10, visit_seconds: 10 },
	}),
	pageviewRow({ ...two, entrance: 1 }),
	pageviewRow({ ...two, kind: "microconversion", event_type: "signup", page_view: 0, microconversion: 1 }),
	pageviewRow({ ...one, ...at("2026-11-19", 9), session: "13", path: "/a", entrance: 1 }),
];

before(async () => {
	site = await openQuerySite(["empty", "visits", "large"]);
	await insertRows(site.app.eventStore, visits);
});
after(() => site.app.close());

async function ask(body: object, query = "site_id=shop", path = "/stats/query") {
	const response = await site.post({ ...days, ...body }, path, query);
	assert.equal(response.statusCode, 200, response.body);
	return response.json();
}

test("without dimensions there is one row with all metrics", async () => {
	const metrics = "entrances engaged_entrances page_views microconversions conversions revenue bounce_rate".split(" ");
	const values = [2, 1, 3, 0, 2, 20.01, 50];
	assert.deepEqual(await ask({}), {
		data: [Object.fromEntries(metrics.map((name, index) => [name, values[index]]))],
		meta: { total_rows: 1, has_more: false, granularity: "total", dimensions: [], metrics },
	});
});

test("a site without events has one row of zeros, and no groups, on the oldest days of the calendar too", async () => {
	const oldest = { date_from: "1000-01-01", date_to: "1000-02-28", compare: "yoy" };
	const zeros = await ask({ metrics: ["revenue"], ...oldest }, "site_id=empty");
	assert.deepEqual([zeros.data, zeros.comparison_data], [[{ revenue: 0 }], [{ revenue: 0 }]]);
	const none = await ask({ dimensions: ["country"] }, "site_id=empty");
	assert.deepEqual([none.data, none.meta.total_rows, none.meta.has_more], [[], 0, false]);
});

test("a comparison has the rows of the earlier period under the same filters, order and limit", async () => {
	const asked = { dimensions: ["utm_source"], metrics: ["entrances"], filters: { hour: 1 } };
	const chosen = { compare: "custom", compare_start: "2026-11-19", compare_end: "2026-11-19" };
	for (const [compared, mode, from, to, ...sources] of [
		[{ compare: "previous" }, "previous", "2026-11-18", "2026-11-19", "google"],
		[{ compare: "true" }, "previous", "2026-11-18", "2026-11-19", "google"],
		[{ compare: "yoy" }, "yoy", "2025-11-20", "2025-11-21", "newsletter"],
		[{ compare: "yoy_weekday" }, "yoy_weekday", "2025-11-21", "2025-11-22"],
		[chosen, "custom", "2026-11-19", "2026-11-19", "google"],
	] as const) {
		const { data, comparison_data, comparison_meta } = await ask({ ...asked, ...compared });
		assert.deepEqual(data, []);
		assert.deepEqual(
			comparison_data,
			sources.map((utm_source) => ({ utm_source, entrances: 1 })),
			mode,
		);
		assert.deepEqual(comparison_meta, { date_from: from, date_to: to, mode, total_rows: sources.length });
	}
	assert.deepEqual(Object.keys(await ask(asked)), ["data", "meta"]);
});

test("a segment narrows a query, explicit filters override it, an unknown one is not found", async () => {
	const asked = { dimensions: ["utm_source"], metrics: ["page_views"] };
	const mobile = "site_id=shop&segment=mobile";
	assert.deepEqual((await ask(asked, mobile)).data, [{ utm_source: "google", page_views: 2 }]);
	const overridden = await ask({ ...asked, filters: { device_type: "desktop" } }, mobile);
	assert.deepEqual(overridden.data, [{ utm_source: "newsletter", page_views: 1 }]);
	const unknown = await site.post({ ...days, ...asked }, "/stats/query", "site_id=shop&segment=nothing");
	assert.deepEqual([unknown.statusCode, unknown.json().error.code], [404, "not_found"]);
});

test("by type: conversions, microconversions and revenue, the most conversions first, and nothing else", async () => {
	const { data, meta } = await ask({ dimensions: ["conversion_type"] }, "site_id=visits");
	assert.deepEqual(meta.metrics, ["conversions", "microconversions", "revenue"]);
	const signup = { conversion_type: "signup", conversions: 0, microconversions: 1, revenue: 0 };
	assert.deepEqual(data, [{ conversion_type: "sale", conversions: 1, microconversions: 0, revenue: 10 }, signup]);
	const found = { dimensions: ["conversion_type"], filters: { conversion_type_contains: "sig" } };
	assert.deepEqual((await ask(found, "site_id=visits")).data, [signup]);
});

test("a group is no row where everything that is shown of it is zero: seconds without entrances, entrances without seconds", async () => {
	const byHour = { dimensions: ["date", "hour"] };
	const seconds = await ask({ ...byHour, metrics: ["visit_duration"] }, "site_id=visits");
	assert.deepEqual(seconds.data, [{ date: "2026-11-20", hour: 9, visit_duration: 30 }]);
	const { data } = await ask({ ...byHour, metrics: ["entrances", "visit_duration"] }, "site_id=visits");
	assert.deepEqual(
		data.map(({ hour }: { hour: number }) => hour),
		[9, 9],
	);
});

const exported = (body: object, query: string) => site.post({ ...days, ...body }, "/stats/query/export", query);

test("joined rows have their own earlier numbers, behind the others in a file, and rows that there are no more are left out", async () => {
	const joined = { compare: "previous", compare_rows: "joined", dimensions: ["landing_page"] };
	const day = { date_from: "2026-11-21", date_to: "2026-11-21" };
	const answer = await ask({ ...joined, ...day, metrics: ["entrances", "engaged_entrances"] }, "site_id=visits");
	assert.deepEqual(answer.data, [
		{
			...{ landing_page: "/b", entrances: 1, engaged_entrances: 0, bounce_rate: 100 },
			...{ entrances_prev: 0, engaged_entrances_prev: 0, bounce_rate_prev: 0 },
		},
	]);
	assert.equal(answer.meta.total_rows, 1);
	assert.deepEqual(answer.comparison_meta, { date_from: "2026-11-20", date_to: "2026-11-20", mode: "previous" });
	const file = await exported({ ...joined, metrics: ["entrances", "page_views"] }, "site_id=visits");
	const lines = ["landing_page,entrances,page_views,entrances_prev,page_views_prev", "/a,1,2,1,1", "/b,1,1,0,0", ""];
	assert.equal(file.body, lines.join("\r\n"));
});

const files: readonly (readonly [body: object, name: string, ...lines: string[]])[] = [
	[
		{ dimensions: ["utm_source"], metrics: ["entrances", "engaged_entrances", "revenue"] },
		"",
		"utm_source,entrances,engaged_entrances,revenue,bounce_rate",
		"google,1,1,10,0",
		"newsletter,1,0,10.01,100",
	],
	[
		{ granularity: "daily", metrics: ["entrances"], filters: { utm_source: "google" }, compare: "previous" },
		"Report_2026-11.csv",
		"period,date,entrances",
		"current,2026-11-20,1",
		"comparison,2026-11-19,1",
	],
	[{ dimensions: ["os", "hour"], metrics: ["revenue"], filters: { os: "BeOS" } }, "", "os,hour,revenue"],
];

test("an export is a CSV file of dimensions and metrics; compared, it names the period of each line; without rows it is its head", async () => {
	for (const [body, name, ...lines] of files) {
		const response = await exported(body, `site_id=shop${name && `&filename=${name}`}`);
		assert.equal(response.headers["content-type"], "text/csv; charset=utf-8");
		assert.equal(response.headers["content-disposition"], `attachment; filename="${name || "export.csv"}"`);
		assert.equal(response.headers["cache-control"], "no-store");
		assert.equal(response.body, `${lines.join("\r\n")}\r\n`);
	}
});

test("an export of more rows than one batch holds has each of them once", async () => {
	await site.app.eventStore.command(`
		INSERT INTO events (site, date, hour, ts, session, kind, utm_source, utm_content, page_view)
		SELECT 'large', toDate('2026-11-20'), 1, now64(3), number, 'pageview', concat('=s', toString(number % 30000)),
			repeat('x', 500), 1
		FROM numbers(60000)`);
	const body = { dimensions: ["utm_source"], metrics: ["page_views"], limit: 100_000 };
	const lines = (await exported(body, "site_id=large")).body.split("\r\n");
	assert.deepEqual([lines.length, new Set(lines).size], [30_002, 30_002]);
	assert.deepEqual([lines[0], lines[1], lines.at(-1)], ["utm_source,page_views", "'=s0,2", ""]);
	const few = await exported({ ...body, limit: 2, offset: 9 }, "site_id=large");
	assert.equal(few.body.split("\r\n").length, 4);
});

test("exports wait for each other without holding up queries, and a reader who leaves gives the place back", async () => {
	const address = await site.app.address();
	// More than sockets buffer, so that a reader who does not read holds its place.
	const asked = { dimensions: ["utm_source", "utm_content"], metrics: ["page_views"], limit: 100_000 };
	const headers = { ...site.ann.headers, "content-type": "application/json" };
	const request = { method: "POST", headers, body: JSON.stringify({ ...days, ...asked }) };
	const start = () => fetch(`${address}/api/v1/stats/query/export?site_id=large`, request);
	// As many as one caller may read at a time.
	const readers = await Promise.all([start(), start()]);
	assert.deepEqual(
		readers.map(({ status }) => status),
		[200, 200],
	);
	const third = start();
	await ask({});
	await Promise.all(readers.map((reader) => reader.body?.cancel()));
	const text = await (await third).text();
	assert.equal(text.split("\r\n").length, 30_002);
});

async function get(path: string) {
	const response = await site.app.inject({ url: `/api/v1/stats/${path}`, headers: site.ann.headers });
	assert.equal(response.statusCode, 200, response.body);
	return response;
}

test("a list tells with explain the SQL that it asked, without values, and only then", async () => {
	for (const path of ["sources", "sources/top", "pages/content-groups", "exit-pages"]) {
		const query = "site_id=shop&start_date=2026-11-01&end_date=2026-11-21&utm_source=zqx";
		assert.equal((await get(`${path}?${query}`)).json().meta?.sql, undefined);
		const { meta } = (await get(`${path}?${query}&explain=true`)).json();
		assert.deepEqual(Object.keys(meta), ["sql", "engine_ms"]);
		assert.match(meta.sql, /^SELECT .*FROM events\b.*site = \{site:String\}.*utm_source IN \{f\d+:Array\(String\)\}/s);
		assert.doesNotMatch(meta.sql, /zqx|shop|2026/);
		assert.equal(typeof meta.engine_ms, "number");
	}
	// Lists inside the rows are statements of their own.
	const { meta } = (await get("conversions?site_id=shop&explain=true")).json();
	assert.equal(meta.sql.split(";\n\n").length, 3);
});

test("a query tells its SQL in its meta, beside what else stands there", async () => {
	const body = { dimensions: ["country"], metrics: ["page_views"], compare: "previous" };
	const { meta } = await ask(body, "site_id=shop&explain=true");
	assert.deepEqual([meta.total_rows, meta.dimensions, meta.metrics], [2, ["country"], ["page_views"]]);
	const [now, earlier, ...others] = meta.sql.split(";\n\n");
	assert.match(now, /^SELECT country,\n\tsum\(page_view\) AS page_views/);
	assert.deepEqual([earlier, others], [now, []]);
	assert.equal((await ask(body)).meta.sql, undefined);
});

test("reports say how long the engine worked, and that it did not for an answer that was kept", async () => {
	const engineTime = (header: unknown) => Number(/^engine;dur=(\d+\.\d)$/.exec(String(header))?.[1]);
	for (const path of ["overview", "devices", "exit-pages", "properties/keys", "funnel", "microconversions-types"]) {
		const url = `${path}?site_id=shop&start_date=2026-10-30`;
		assert.ok(engineTime((await get(url)).headers["server-timing"]) > 0, path);
		assert.equal(engineTime((await get(url)).headers["server-timing"]), 0, path);
	}
	const query = await site.post({ ...days, dimensions: ["os"], date_from: "2026-10-30" });
	assert.ok(engineTime(query.headers["server-timing"]) > 0);
	const sites = await site.app.inject({ url: "/api/v1/sites", headers: site.ann.headers });
	assert.equal(sites.headers["server-timing"], undefined);
});

test("a change is told by value, largest first, with what vanished; alone, in a batch, and without dimensions by thirteen", async () => {
	const saturday = { metric: "entrances", date_from: "2026-11-21", date_to: "2026-11-21", compare: "previous" };
	const explain = async (body: object) => (await ask(body, "site_id=shop&imports=exclude", "/stats/explain")).data;
	const data = await explain({ ...saturday, dimensions: ["utm_source"] });
	assert.deepEqual(data, {
		total: { now: 1, before: 1, change: 0 },
		dimensions: [
			{
				name: "utm_source",
				explained: 100,
				rows: [
					{ value: "google", now: 0, before: 1, change: -1, share: 0 },
					{ value: "newsletter", now: 1, before: 0, change: 1, share: 0 },
				],
			},
		],
	});
	const { dimensions } = await explain(saturday);
	assert.deepEqual(
		dimensions.map(({ name }: { name: string }) => name),
		[
			..."channel_group utm_source utm_medium utm_campaign utm_term utm_content referrer_domain".split(" "),
			..."landing_page content_grouping country device_type browser os".split(" "),
		],
	);
	const money = { ...saturday, ...days, metric: "revenue", dimensions: ["country", "conversion_type"] };
	const queries = [
		{ id: "why", endpoint: "/stats/explain", params: { site_id: "shop", imports: "exclude", ...money } },
		{ id: "sql", endpoint: "/stats/query", params: { site_id: "shop", explain: true, ...days } },
		{ id: "exits", endpoint: "/stats/exit-pages", params: { site_id: "shop" } },
	];
	const { results } = (await site.post({ queries }, "/batch")).json();
	assert.deepEqual(results.why.data.data.dimensions[0].rows, [
		{ value: "PT", now: 10.01, before: 0, change: 10.01, share: 50.02 },
		{ value: "ES", now: 10, before: 0, change: 10, share: 49.98 },
	]);
	assert.match(results.sql.data.meta.sql, /^SELECT sum\(entrance\)/);
	assert.equal(results.exits.data.total, 2);
});
