import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { pageviewRow } from "../../../../test/support/event-rows.ts";
import { insertRows } from "../../../../test/support/oracle-app.ts";
import { days, openQuerySite, type QuerySite } from "../../../../test/support/query-site.ts";

let site: QuerySite;

const at = (date: string, hour: number) => ({ ts: Date.parse(`${date}T10:00:00Z`), site: "empty", date, hour });
const one = { session: "11", referrer: "news.example", landing_path: "/a", landing_group: "blog" } as const;
const two = { session: "12", referrer: "", landing_path: "/b", landing_group: "" } as const;

/** A visit from the news that reads two pages and buys on the second, one that signs up, and the news a day before. */
const rows = [
	pageviewRow({ ...at("2026-11-20", 9), ...one, path: "/a", content_group: "blog", entrance: 1 }),
	pageviewRow({
		...at("2026-11-20", 9),
		...one,
		path: "/a",
		content_group: "blog",
		kind: "engaged",
		page_view: 0,
		engaged: 1,
	}),
	pageviewRow({ ...at("2026-11-20", 9), ...one, path: "/b", visit_seconds: 30 }),
	pageviewRow({
		...at("2026-11-20", 10),
		...one,
		path: "/b",
		kind: "conversion",
		event_type: "sale",
		page_view: 0,
		conversion: 1,
		revenue: 10,
		visit_seconds: 10,
	}),
	pageviewRow({ ...at("2026-11-21", 9), ...two, path: "/b", entrance: 1 }),
	pageviewRow({
		...at("2026-11-21", 9),
		...two,
		path: "/b",
		kind: "microconversion",
		event_type: "signup",
		page_view: 0,
		microconversion: 1,
	}),
	pageviewRow({ ...at("2026-11-19", 9), ...one, session: "13", path: "/a", content_group: "blog", entrance: 1 }),
];

before(async () => {
	site = await openQuerySite();
	await insertRows(site.app.eventStore, rows);
});
after(() => site.app.close());

async function ask(body: object) {
	const response = await site.post({ ...days, ...body }, { query: "site_id=empty" });
	assert.equal(response.statusCode, 200, response.body);
	return response.json();
}

const table = async (body: object) => (await ask(body)).data.map((row: object) => Object.values(row));

test("by page: views, landings, and what happened there", async () => {
	const metrics = ["page_views", "entrances", "conversions", "microconversions", "revenue", "visitors"];
	const order_by = [{ field: "path", direction: "asc" }];
	assert.deepEqual(await table({ dimensions: ["path"], metrics, order_by }), [
		["/a", 1, 1, 0, 0, 0, 1],
		["/b", 2, 1, 1, 1, 10, 1],
	]);
	assert.deepEqual(await table({ dimensions: ["content_grouping"], metrics, order_by: [] }), [
		["", 2, 1, 1, 1, 10, 1],
		["blog", 1, 1, 0, 0, 0, 1],
	]);
});

test("by landing page and by referrer: visits with all that came of them", async () => {
	const metrics = ["entrances", "page_views", "conversions", "visit_duration"];
	assert.deepEqual(await table({ dimensions: ["landing_page"], metrics }), [
		["/a", 1, 2, 1, 40],
		["/b", 1, 1, 0, 0],
	]);
	assert.deepEqual(await table({ dimensions: ["referrer_domain"], metrics }), [
		["", 1, 1, 0, 0],
		["news.example", 1, 2, 1, 40],
	]);
});

test("by type: conversions, microconversions and revenue, the most conversions first, and nothing else", async () => {
	const { data, meta } = await ask({ dimensions: ["conversion_type"] });
	assert.deepEqual(meta.metrics, ["conversions", "microconversions", "revenue"]);
	assert.deepEqual(data, [
		{ conversion_type: "sale", conversions: 1, microconversions: 0, revenue: 10 },
		{ conversion_type: "signup", conversions: 0, microconversions: 1, revenue: 0 },
	]);
	assert.deepEqual(await table({ dimensions: ["conversion_type"], filters: { conversion_type_contains: "sig" } }), [
		["signup", 0, 1, 0],
	]);
});

const filtered: readonly (readonly [object, readonly unknown[]])[] = [
	[{ landing_page: "/a" }, [["news.example", 2]]],
	[{ path: "/b" }, [["", 1]]],
	[{ path_starts_with: "/a" }, [["news.example", 2]]],
	[{ path_not_contains: "a" }, [["", 1]]],
	[{ path_regex: "^/[ac]$" }, [["news.example", 2]]],
	[{ content_grouping: "blog" }, [["news.example", 2]]],
	[{ referrer_domain_ends_with: ".example" }, [["news.example", 2]]],
	[{ referrer_not: "" }, [["news.example", 2]]],
	[{ conversion_type: "sale" }, [["news.example", 2]]],
	[{ conversion_type_not: ["sale", "refund"] }, [["", 1]]],
	[{ conversion_type_not_regex: "^s" }, []],
	[{ hour_not: 8, day_of_week_not: [6, 7] }, [["news.example", 2]]],
	[
		{ channel_contains: "", path_contains: null },
		[
			["news.example", 2],
			["", 1],
		],
	],
];

test("filters leave the referrers that they let through", async () => {
	for (const [filters, expected] of filtered) {
		const found = await table({ dimensions: ["referrer_domain"], metrics: ["page_views"], filters });
		assert.deepEqual(found, expected, JSON.stringify(filters));
	}
});

test("a query by page filters by the page of the hit, as reports about pages do", async () => {
	const filters = { path: "/b" };
	assert.deepEqual(await table({ dimensions: ["path", "referrer_domain"], metrics: ["page_views"], filters }), [
		["/b", "", 1],
		["/b", "news.example", 1],
	]);
});

const joined = { compare: "previous", compare_rows: "joined" };

test("joined rows have their own earlier numbers, and rows that there are no more are left out", async () => {
	const asked = {
		date_from: "2026-11-21",
		date_to: "2026-11-21",
		...joined,
		metrics: ["entrances", "engaged_entrances"],
	};
	const body = await ask({ ...asked, dimensions: ["landing_page"] });
	assert.deepEqual(body, {
		data: [
			{
				landing_page: "/b",
				entrances: 1,
				engaged_entrances: 0,
				bounce_rate: 100,
				entrances_prev: 0,
				engaged_entrances_prev: 0,
				bounce_rate_prev: 0,
			},
		],
		meta: {
			total_rows: 1,
			has_more: false,
			granularity: "total",
			dimensions: ["landing_page"],
			metrics: ["entrances", "engaged_entrances", "bounce_rate"],
		},
		comparison_meta: { date_from: "2026-11-20", date_to: "2026-11-20", mode: "previous" },
	});
	const { data } = await ask({ ...joined, dimensions: ["landing_page", "hour"], metrics: ["entrances"] });
	assert.deepEqual(data, [
		{ landing_page: "/a", hour: 9, entrances: 1, entrances_prev: 1 },
		{ landing_page: "/b", hour: 9, entrances: 1, entrances_prev: 0 },
	]);
});

test("without dimensions there is exactly one joined row, of zeros where nothing happened", async () => {
	const asked = { ...joined, metrics: ["entrances", "visitors"] };
	assert.deepEqual((await ask(asked)).data, [{ entrances: 2, visitors: 2, entrances_prev: 1, visitors_prev: 1 }]);
	const nothing = await ask({ ...asked, date_from: "2026-01-01", date_to: "2026-01-02" });
	assert.deepEqual(nothing.data, [{ entrances: 0, visitors: 0, entrances_prev: 0, visitors_prev: 0 }]);
	assert.equal(nothing.meta.total_rows, 1);
});

test("an export of joined rows has the earlier numbers behind the others", async () => {
	const body = { ...days, ...joined, dimensions: ["landing_page"], metrics: ["entrances", "page_views"] };
	const response = await site.post(body, { path: "/stats/query/export", query: "site_id=empty" });
	const lines = ["landing_page,entrances,page_views,entrances_prev,page_views_prev", "/a,1,2,1,1", "/b,1,1,0,0", ""];
	assert.equal(response.body, lines.join("\r\n"));
});

test("a group is no row where everything that is shown of it is zero: seconds without entrances, entrances without seconds", async () => {
	const byHour = { date_from: "2026-11-20", date_to: "2026-11-21", dimensions: ["date", "hour"] };
	assert.deepEqual((await ask({ ...byHour, metrics: ["visit_duration"] })).data, [
		{ date: "2026-11-20", hour: 9, visit_duration: 30 },
	]);
	assert.deepEqual(
		(await ask({ ...byHour, metrics: ["entrances", "visit_duration"] })).data.map(({ hour }: { hour: number }) => hour),
		[9, 9],
	);
});
