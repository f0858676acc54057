import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createSite, signIn } from "../../../../test/support/accounts.ts";
import { pageviewRow } from "../../../../test/support/event-rows.ts";
import { insertRows } from "../../../../test/support/oracle-app.ts";
import { testApp } from "../../../../test/support/test-app.ts";
import { createVirtualClock } from "../../../../test/support/test-clock.ts";
import { streamPage } from "../../../analytics/query/engine/run.ts";
import type { EventQuery } from "../../../platform/event-store/event-store.ts";

const at = (date: string, hour: number) => ({ ts: Date.parse(`${date}T10:00:00Z`), site: "shop", date, hour });
const google = { utm_source: "google", utm_medium: "organic", country: "ES", device: "mobile" } as const;
const letter = { utm_source: "newsletter", utm_medium: "email", country: "PT" } as const;
const sale = { page_view: 0, conversion: 1, kind: "conversion" } as const;

const rows = [
	pageviewRow({ ...at("2026-11-20", 9), ...google, entrance: 1 }),
	pageviewRow({ ...at("2026-11-20", 9), ...google, kind: "engaged", page_view: 0, engaged: 1 }),
	pageviewRow({ ...at("2026-11-20", 9), ...google, path: "/cart" }),
	pageviewRow({ ...at("2026-11-20", 10), ...google, ...sale, revenue: 10 }),
	pageviewRow({ ...at("2026-11-20", 10), kind: "item", page_view: 0, utm_source: "items-only" }),
	pageviewRow({ ...at("2026-11-21", 0), ...letter, entrance: 1 }),
	pageviewRow({ ...at("2026-11-21", 1), ...letter, ...sale, revenue: 10.01 }),
	pageviewRow({ ...at("2026-11-19", 1), ...google, entrance: 1 }),
	pageviewRow({ ...at("2025-11-20", 1), ...letter, entrance: 1 }),
	...Array.from({ length: 12 }, (_, n) => pageviewRow({ ...at("2026-10-01", 9), utm_source: `s${n}`, entrance: 1 })),
];

/** The days that hold most of the rows: a Friday and a Saturday. */
const days = { date_from: "2026-11-20", date_to: "2026-11-21" };

/** What the engine does instead when it is asked for search terms. */
let beyond: Pick<EventQuery, "sql" | "settings"> | undefined;
const orBeyond = (query: EventQuery) => (query.sql.includes("utm_term") ? { ...query, ...beyond } : query);

const app = await testApp({
	wrapEventStore: (store) => ({
		...store,
		query: (query) => store.query(orBeyond(query)),
		stream: (query) => store.stream(orBeyond(query)),
	}),
});
const ann = await signIn(app);
await createSite(app, ann, { timezone: "Europe/Madrid" });
for (const name of ["Empty", "Large"]) await createSite(app, ann, { name });
await insertRows(app.eventStore, rows);
after(() => app.close());

function post(body: object, path = "/stats/query", query = "site_id=shop") {
	const payload = { ...days, ...body };
	return app.inject({ method: "POST", url: `/api/v1${path}?${query}`, headers: ann.headers, payload });
}

async function ask(body: object, query = "site_id=shop", path = "/stats/query") {
	const response = await post(body, path, query);
	assert.equal(response.statusCode, 200, response.body);
	return response.json();
}

test("a site without events has one row of zeros, and no groups, on the oldest days of the calendar too", async () => {
	const oldest = { date_from: "1000-01-01", date_to: "1000-02-28", compare: "yoy" };
	const zeros = await ask({ metrics: ["revenue"], ...oldest }, "site_id=empty");
	assert.deepEqual([zeros.data, zeros.comparison_data], [[{ revenue: 0 }], [{ revenue: 0 }]]);
	const none = await ask({ dimensions: ["country"] }, "site_id=empty");
	assert.deepEqual([none.data, none.meta.total_rows, none.meta.has_more], [[], 0, false]);
});

const exportOf = (body: object, query: string) => post(body, "/stats/query/export", query);

const files: readonly (readonly [body: object, name: string, lines: readonly string[]])[] = [
	[
		{ dimensions: ["utm_source"], metrics: ["entrances", "engaged_entrances", "revenue"] },
		"",
		["utm_source,entrances,engaged_entrances,revenue,bounce_rate", "google,1,1,10,0", "newsletter,1,0,10.01,100"],
	],
	[
		{ granularity: "daily", metrics: ["entrances"], filters: { utm_source: "google" }, compare: "previous" },
		"Report_2026-11.csv",
		["period,date,entrances", "current,2026-11-20,1", "comparison,2026-11-19,1"],
	],
	[
		{ dimensions: ["utm_source"], metrics: ["entrances", "page_views"], compare: "true", compare_rows: "joined" },
		"",
		["utm_source,entrances,page_views,entrances_prev,page_views_prev", "google,1,2,1,1", "newsletter,1,1,0,0"],
	],
	[{ dimensions: ["os", "hour"], metrics: ["revenue"], filters: { os: "BeOS" } }, "", ["os,hour,revenue"]],
];

test("an export is a CSV file of dimensions and metrics; compared, it has periods or joined rows; without rows it is its head", async () => {
	for (const [body, name, lines] of files) {
		const response = await exportOf(body, `site_id=shop${name && `&filename=${name}`}`);
		assert.equal(response.headers["content-type"], "text/csv; charset=utf-8");
		assert.equal(response.headers["content-disposition"], `attachment; filename="${name || "export.csv"}"`);
		assert.equal(response.headers["cache-control"], "no-store");
		assert.equal(response.body, `${lines.join("\r\n")}\r\n`);
	}
});

test("an export of more rows than one batch holds has each of them once", async () => {
	await app.eventStore.command(`
		INSERT INTO events (site, date, hour, ts, session, kind, utm_source, utm_content, page_view)
		SELECT 'large', toDate('2026-11-20'), 1, now64(3), number, 'pageview', concat('=s', toString(number % 30000)),
			repeat('x', 500), 1
		FROM numbers(60000)`);
	const body = { dimensions: ["utm_source"], metrics: ["page_views"], limit: 100_000 };
	const lines = (await exportOf(body, "site_id=large")).body.split("\r\n");
	assert.deepEqual([lines.length, new Set(lines).size], [30_002, 30_002]);
	assert.deepEqual([lines[0], lines[1], lines.at(-1)], ["utm_source,page_views", "'=s0,2", ""]);
});

async function get(path: string) {
	const response = await app.inject({ url: `/api/v1/stats/${path}`, headers: ann.headers });
	assert.equal(response.statusCode, 200, response.body);
	return response;
}

test("a list and a query tell with explain the SQL that they asked, without values, and only then", async () => {
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
	const body = { dimensions: ["country"], metrics: ["page_views"], compare: "previous" };
	const { meta: ofQuery } = await ask(body, "site_id=shop&explain=true");
	assert.deepEqual([ofQuery.total_rows, ofQuery.dimensions, ofQuery.metrics], [2, ["country"], ["page_views"]]);
	const [now, earlier, ...others] = ofQuery.sql.split(";\n\n");
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
	const query = await post({ dimensions: ["os"], date_from: "2026-10-30" });
	assert.ok(engineTime(query.headers["server-timing"]) > 0);
	const user = await app.inject({ url: "/api/v1/auth/me", headers: ann.headers });
	assert.deepEqual([user.statusCode, user.headers["server-timing"]], [200, undefined]);
});

test("a change is told by value, largest first, with what vanished; alone, in a batch, and without dimensions by thirteen", async () => {
	const saturday = { metric: "entrances", date_from: "2026-11-21", date_to: "2026-11-21", compare: "previous" };
	const explain = async (body: object) => (await ask(body, "site_id=shop&imports=exclude", "/stats/explain")).data;
	const { total, dimensions: told } = await explain({ ...saturday, dimensions: ["utm_source"] });
	const rows = [
		{ value: "google", now: 0, before: 1, change: -1, share: 0 },
		{ value: "newsletter", now: 1, before: 0, change: 1, share: 0 },
	];
	assert.deepEqual([total, told], [{ now: 1, before: 1, change: 0 }, [{ name: "utm_source", explained: 100, rows }]]);
	// Days to compare with need no word; filters choose the rows.
	const thursday = { compare: undefined, compare_start: "2026-11-19", compare_end: "2026-11-19" };
	const narrowed = { ...saturday, ...thursday, filters: { country_not: "PT" }, dimensions: ["utm_source"] };
	const [{ rows: less }] = (await explain(narrowed)).dimensions;
	assert.deepEqual(less, [{ value: "google", now: 0, before: 1, change: -1, share: 100 }]);
	// Ten of twelve values are listed, with their part of all changes.
	const october = { ...saturday, date_from: "2026-10-01", date_to: "2026-10-01", dimensions: ["utm_source"] };
	const [sources] = (await explain(october)).dimensions;
	assert.deepEqual([sources.rows.length, sources.explained], [10, 83.33]);
	const usual = (await explain(saturday)).dimensions.map(({ name }: { name: string }) => name);
	assert.deepEqual(usual, [
		..."channel_group utm_source utm_medium utm_campaign utm_term utm_content referrer_domain".split(" "),
		..."landing_page content_grouping country device_type browser os".split(" "),
	]);
	const money = { ...saturday, ...days, metric: "revenue", dimensions: ["country", "conversion_type"] };
	const queries = [
		{ id: "why", endpoint: "/stats/explain", params: { site_id: "shop", imports: "exclude", ...money } },
		{ id: "sql", endpoint: "/stats/query", params: { site_id: "shop", explain: true, ...days } },
		{ id: "exits", endpoint: "/stats/exit-pages", params: { site_id: "shop" } },
	];
	const { results } = (await post({ queries }, "/batch")).json();
	assert.deepEqual(results.why.data.data.dimensions[0].rows, [
		{ value: "PT", now: 10.01, before: 0, change: 10.01, share: 50.02 },
		{ value: "ES", now: 10, before: 0, change: 10, share: 49.98 },
	]);
	assert.match(results.sql.data.meta.sql, /^SELECT sum\(entrance\)/);
	assert.equal(results.exits.data.total, 2);
});

const many = "country utm_source utm_medium utm_campaign utm_term utm_content device_type browser".split(" ");

const dimensions = (names: readonly string[]) => ({ dimensions: names });

/** What is wrong, by the field that is told; "" where none is and the status is 400. */
const refused: Readonly<Record<string, readonly object[]>> = {
	"": [
		...[{ date_from: "2026-11-22" }, { date_from: "2024-11-20" }, { compare: "last" }, { compare: "" }],
		...[["city"], ["source"], ["landing_content_grouping"], ["toString"], ["country", "country"]].map(dimensions),
		{ dimensions: [...many, "os", "hour", "date"] },
		...[{ metrics: ["sessions"] }, { metrics: ["bounce_rate"] }],
	],
	"body.date_from": [{ date_from: null }],
	"body.dimensions.1": [{ dimensions: ["country", "Source"] }],
	"body.metrics.0": [
		{ dimensions: ["conversion_type"], metrics: ["visitors"] },
		{ dimensions: ["path"], metrics: ["visit_duration"] },
		{ dimensions: ["content_grouping"], metrics: ["visit_duration"] },
	],
	"body.metrics.1": [{ dimensions: ["conversion_type"], metrics: ["revenue", "entrances"] }],
	"body.order_by.0.field": [
		{ order_by: [{ field: "country" }] },
		{ metrics: ["entrances"], order_by: [{ field: "bounce_rate" }] },
	],
	"body.filters": [
		...[{ city: "Rome" }, { hour_not: 8 }, { day_of_week_not: [6] }, { hour_contains: "1" }, { path_like: "/a" }],
		...[{ path_contains: ["/a"] }, { path_regex: "(" }, { country: "Spain" }, { country_not: ["ES", ""] }],
		...[{ device_type: "watch" }, { os: [] }, { hour: 24 }, { day_of_week: [0] }, { utm_source: "x".repeat(40_000) }],
	].map((filters) => ({ filters })),
	"body.limit": [{ limit: 0 }],
	"body.compare_rows": [
		{ compare_rows: "joined" },
		{ compare: "yoy", compare_rows: "joined", granularity: "daily" },
		{ compare: "yoy", compare_rows: "joined", dimensions: ["date"] },
	],
	"body.compare_start": [{ compare: "custom" }],
};

/** The same of explanations, whose plain question is about a metric and a comparison. */
const unexplained: typeof refused = {
	"": [{ date_to: "2026-11-01" }],
	"body.metric": [{ metric: "bounce_rate" }],
	"body.compare": [{ compare: undefined }],
	"body.compare_start": [{ compare_start: "2026-11-01" }],
	"body.compare_end": [{ compare: undefined, compare_start: "2026-11-01" }],
	"body.dimensions.0": [{ dimensions: ["date"] }],
	"body.dimensions": [{ dimensions: ["os", "os"] }, { dimensions: [] }],
};

/** A page of a query is shorter than a file. */
const ofQueries: typeof refused = { ...refused, "body.limit": [{ limit: 0 }, { limit: 10_001 }] };
const explained = { metric: "entrances", compare: "previous" };

test("a query, its export and an explanation with a fault are refused, on the field where there is one", async () => {
	for (const [path, plain, faults] of [
		["/stats/query", {}, ofQueries],
		["/stats/query/export", {}, refused],
		["/stats/explain", explained, unexplained],
	] as const) {
		for (const [field, bodies] of Object.entries(faults)) {
			for (const body of bodies) {
				const { error } = (await post({ ...plain, ...body }, path)).json();
				const asked = `${path} ${JSON.stringify(body).slice(0, 200)}`;
				assert.equal(error?.code, field === "" ? "bad_request" : "validation_error", asked);
				assert.ok(field === "" || error.detail[0].field.startsWith(field), asked);
			}
		}
	}
});

test("a file name that headers or systems do not take is refused with 422", async () => {
	for (const name of ["a b.csv", "a/b.csv", 'a".csv', "ñ.csv", "", "x".repeat(101)]) {
		const refusal = await exportOf({}, `site_id=shop&filename=${encodeURIComponent(name)}`);
		assert.deepEqual([refusal.statusCode, refusal.json().error.detail[0].field], [422, "query.filename"], name);
	}
});

const told: readonly (readonly [body: object, message: string])[] = [
	[
		{ dimensions: ["city"] },
		"Unknown dimension city; there are date, hour, day_of_week, country, utm_source, utm_medium, utm_campaign, utm_term, utm_content, device_type, browser, os, channel_group, path, content_grouping, landing_page, referrer_domain, conversion_type",
	],
	[
		{ metrics: ["bounce_rate"] },
		"Unknown metric bounce_rate; there are entrances, engaged_entrances, page_views, microconversions, conversions, revenue, visitors, visit_duration, average_order_value; bounce_rate comes with entrances and engaged_entrances",
	],
	[
		{ dimensions: ["conversion_type"], metrics: ["entrances"] },
		"Only events have a conversion_type: by it there are conversions, microconversions, revenue, average_order_value. For visits with an event, filter by conversion_type instead",
	],
	[
		{ filters: { city: "Rome" } },
		"Not a filter; there are path, content_grouping, landing_page, referrer, referrer_domain, utm_source, utm_medium, utm_campaign, utm_term, utm_content, country, device_type, browser, os, channel, channel_group, conversion_type, hour, day_of_week, property.<name>, those of texts also with _not, _contains, _not_contains, _starts_with, _ends_with, _regex, _not_regex, as in property_not.<name>",
	],
];

test("a refusal says which values would do", async () => {
	for (const [body, message] of told) {
		const { error } = (await post(body)).json();
		assert.equal(error.detail?.[0].message ?? error.message, message);
	}
});

const optional =
	"granularity dimensions metrics filters order_by limit offset compare compare_start compare_align".split(" ");

test("null stands for a field that is left out; ten dimensions beside those of the granularity are the most", async () => {
	const plain = await ask({});
	assert.equal(plain.data[0].entrances, 2);
	assert.deepEqual(await ask(Object.fromEntries(optional.map((name) => [name, null]))), plain);
	const within = { filters: { country: "ES", os: null }, order_by: [{ field: "entrances", direction: null }] };
	assert.equal((await ask(within)).data[0].entrances, 1);
	const { meta, data } = await ask({ granularity: "hourly", dimensions: [...many, "os", "channel_group"] });
	assert.deepEqual([meta.dimensions.length, data.length], [12, 4]);
});

const fewer = /needs more memory .* fewer days, dimensions or rows/;
const slow = "SELECT count() FROM numbers(100000000000) WHERE sipHash64(number) = 1";

test("a query beyond the engine's memory or time ends with gateway_timeout, and those beside it are answered", async () => {
	const big = { dimensions: ["utm_term", "os"], filters: { utm_term_not: "secret words" } };
	const small = { dimensions: ["country"], metrics: ["page_views"] };
	for (const [sql, settings, message] of [
		["SELECT groupArray(number) FROM numbers(10000000)", { max_memory_usage: 1_000_000 }, fewer],
		[slow, { max_execution_time: 0.1 }, /./],
	] as const) {
		beyond = { sql, settings };
		const answers = [post(big), post(big, "/stats/query/export"), ask(small)] as const;
		const [failed, exported, beside] = await Promise.all(answers);
		for (const answer of [failed, exported]) {
			const { error } = answer.json();
			assert.deepEqual([answer.statusCode, error.code], [504, "gateway_timeout"]);
			assert.match(error.message, message);
		}
		assert.equal(beside.data.length, 2);
		const params = { site_id: "shop", ...days, ...big };
		const { results } = (await post({ queries: [{ id: "big", endpoint: "/stats/query", params }] }, "/batch")).json();
		assert.deepEqual([results.big.status, results.big.error.code], ["error", "gateway_timeout"]);
	}
	beyond = undefined;
	const failures = app.logLines.filter((line) => line.includes("Request failed"));
	assert.ok(failures.length >= 4 && !failures.join("").includes("secret words"), String(failures.length));
});

test("an export whose first rows take too long ends with gateway_timeout", async () => {
	const day = Temporal.PlainDate.from("2026-11-20");
	const question = { site: "shop", range: { start: day, end: day }, conditions: [], metrics: ["page_views"] as const };
	const page = { order: [{ by: "page_views", direction: "desc" }], limit: 10, offset: 0 } as const;
	const clock = createVirtualClock("2026-11-21T12:00:00Z");
	const rows = streamPage({ ...app, clock }, { ...question, dimensions: ["utm_content"] }, page).next();
	clock.advance(30_000);
	await assert.rejects(rows, { code: "gateway_timeout" });
});
