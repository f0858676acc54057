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
