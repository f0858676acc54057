import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { days, openQuerySite, type QuerySite } from "../../../../test/support/query-site.ts";

let site: QuerySite;

before(async () => {
	site = await openQuerySite();
});
after(() => site.app.close());

async function post(body: object, options: Parameters<QuerySite["post"]>[1] = {}) {
	const response = await site.post(body, options);
	return { status: response.statusCode, text: response.body, body: response.json() };
}

test("without dimensions there is one row with all metrics", async () => {
	assert.deepEqual((await post(days)).body, {
		data: [
			{
				entrances: 2,
				engaged_entrances: 1,
				page_views: 3,
				microconversions: 0,
				conversions: 2,
				revenue: 20.01,
				bounce_rate: 50,
			},
		],
		meta: {
			total_rows: 1,
			has_more: false,
			granularity: "total",
			dimensions: [],
			metrics: [
				"entrances",
				"engaged_entrances",
				"page_views",
				"microconversions",
				"conversions",
				"revenue",
				"bounce_rate",
			],
		},
	});
});

test("a site without events has one row of zeros, and no groups", async () => {
	const zeros = await post({ ...days, metrics: ["revenue"] }, { query: "site_id=empty" });
	assert.deepEqual([zeros.body.data, zeros.body.meta.total_rows], [[{ revenue: 0 }], 1]);
	const none = await post({ ...days, dimensions: ["country"] }, { query: "site_id=empty" });
	assert.deepEqual([none.body.data, none.body.meta.total_rows, none.body.meta.has_more], [[], 0, false]);
});

test("a comparison has the rows of the earlier period under the same filters, order and limit", async () => {
	const asked = { ...days, dimensions: ["utm_source"], metrics: ["entrances"], filters: { hour: 1 } };
	const { body } = await post({ ...asked, compare: "previous" });
	assert.deepEqual(body.data, []);
	assert.deepEqual(body.comparison_data, [{ utm_source: "google", entrances: 1 }]);
	assert.deepEqual(body.comparison_meta, {
		date_from: "2026-11-18",
		date_to: "2026-11-19",
		mode: "previous",
		total_rows: 1,
	});
	const yoy = (await post({ ...asked, compare: "yoy" })).body;
	assert.deepEqual(yoy.comparison_data, [{ utm_source: "newsletter", entrances: 1 }]);
	assert.equal(yoy.comparison_meta.date_from, "2025-11-20");
	const weekdays = (await post({ ...asked, compare: "yoy_weekday" })).body.comparison_meta;
	assert.deepEqual([weekdays.date_from, weekdays.date_to, weekdays.mode], ["2025-11-21", "2025-11-22", "yoy_weekday"]);
	const chosen = { compare: "custom", compare_start: "2026-11-19", compare_end: "2026-11-19" };
	const custom = (await post({ ...asked, ...chosen })).body;
	assert.deepEqual(custom.comparison_data, [{ utm_source: "google", entrances: 1 }]);
	assert.deepEqual([custom.comparison_meta.date_from, custom.comparison_meta.mode], ["2026-11-19", "custom"]);
	assert.equal((await post({ ...asked, compare: "true" })).body.comparison_meta.mode, "previous");
	const alone = (await post(asked)).body;
	assert.deepEqual(Object.keys(alone), ["data", "meta"]);
});

const many = "country utm_source utm_medium utm_campaign utm_term utm_content device_type browser".split(" ");

test("ten dimensions beside those of the granularity are accepted", async () => {
	const { status, body } = await post({ ...days, granularity: "hourly", dimensions: [...many, "os", "channel_group"] });
	assert.equal(status, 200);
	assert.equal(body.meta.dimensions.length, 12);
	assert.equal(body.data.length, 4);
});

test("the oldest days of the calendar can be asked for and compared", async () => {
	const asked = { date_from: "1000-01-01", date_to: "1000-02-28", compare: "yoy", metrics: ["entrances"] };
	const { status, body } = await post(asked);
	assert.deepEqual([status, body.comparison_data], [200, [{ entrances: 0 }]]);
});

test("a segment narrows a query, explicit filters override it, an unknown one is not found", async () => {
	const asked = { ...days, dimensions: ["utm_source"], metrics: ["page_views"] };
	const inSegment = (body: object, segment: string) =>
		post({ ...asked, ...body }, { query: `site_id=shop&segment=${segment}` });
	assert.deepEqual((await inSegment({}, "mobile")).body.data, [{ utm_source: "google", page_views: 2 }]);
	const overridden = await inSegment({ filters: { device_type: "desktop" } }, "mobile");
	assert.deepEqual(overridden.body.data, [{ utm_source: "newsletter", page_views: 1 }]);
	const unknown = await inSegment({}, "nothing");
	assert.deepEqual([unknown.status, unknown.body.error.code], [404, "not_found"]);
});
