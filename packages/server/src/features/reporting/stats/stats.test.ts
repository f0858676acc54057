import assert from "node:assert/strict";
import { test } from "node:test";
import { reportsOn } from "../../../../test/support/oracle-app.ts";
import { counts, type Fact, factToRow, type Labels } from "../../../../test/support/oracle-facts.ts";

const site = { id: "shop", timezone: "Europe/Madrid" };

const labels: Labels = {
	path: "/",
	content_grouping: "home",
	landing_page: "/",
	landing_content_grouping: "home",
	referrer_domain: "google.com",
	utm_source: "google",
	utm_medium: "organic",
	utm_campaign: "",
	utm_term: "",
	utm_content: "",
	country: "ES",
	device_type: "mobile",
	browser: "Chrome",
	os: "Android",
	channel_group: "Organic Search",
};

const fact = (
	date: string,
	hour: number,
	kind: Fact["kind"],
	some: Partial<Fact["counts"]>,
	own: Partial<Labels> = {},
) => ({
	site: site.id,
	at: Date.parse(`${date}T10:00:00Z`),
	date,
	hour,
	session: "1",
	kind,
	labels: { ...labels, ...own },
	clid: "",
	event_type: "",
	properties: {},
	rejoined: false,
	counts: counts(some),
});

const newsletter = { utm_source: "newsletter", utm_medium: "email", path: "/offer", landing_page: "/offer" };

const facts: Fact[] = [
	fact("2026-11-20", 9, "pageview", { entrances: 1, page_views: 1 }),
	fact("2026-11-20", 9, "engaged", { engaged_entrances: 1 }),
	fact("2026-11-20", 9, "pageview", { page_views: 1 }, { path: "/cart", content_grouping: "" }),
	fact("2026-11-20", 10, "conversion", { conversions: 1, revenue: 100_000 }, { path: "/done" }),
	fact("2026-11-20", 10, "item", {}, { path: "/done", utm_source: "items-only" }),
	fact("2026-11-21", 0, "pageview", { entrances: 1, page_views: 1 }, newsletter),
	fact("2026-11-21", 1, "conversion", { conversions: 1, revenue: 100_100 }, newsletter),
	fact("2026-11-19", 1, "pageview", { entrances: 1, page_views: 1 }),
];

const here = reportsOn({ rows: facts.map(factToRow), sites: [site] });

async function get(url: string) {
	const response = await here.app.inject({ url: `${url}&site_id=${site.id}` });
	return { status: response.statusCode, body: response.json() };
}

test("the sources of two days, with totals and the day before the range as comparison", async () => {
	const { body } = await get("/stats/sources?start_date=2026-11-20&end_date=2026-11-21&include_totals=1&compare=true");
	const zero = { entrances: 0, page_views: 0, engaged_entrances: 0, bounce_rate: 0, conversions: 0, revenue: 0 };
	const before = {
		entrances_prev: 0,
		page_views_prev: 0,
		engaged_entrances_prev: 0,
		bounce_rate_prev: 0,
		conversions_prev: 0,
		revenue_prev: 0,
	};
	assert.deepEqual(body, {
		data: [
			{
				utm_source: "google",
				entrances: 1,
				page_views: 2,
				engaged_entrances: 1,
				bounce_rate: 0,
				conversions: 1,
				revenue: 10,
				...before,
				entrances_prev: 1,
				page_views_prev: 1,
				bounce_rate_prev: 100,
			},
			{
				...zero,
				...before,
				utm_source: "newsletter",
				entrances: 1,
				page_views: 1,
				bounce_rate: 100,
				conversions: 1,
				revenue: 10.01,
			},
		],
		total: 2,
		page: 1,
		page_size: 50,
		has_next: false,
		has_prev: false,
		comparison: { ...zero, entrances: 1, page_views: 1, bounce_rate: 100 },
		meta: { baseline_start: "2026-11-19" },
		totals: { entrances: 2, page_views: 3, engaged_entrances: 1, bounce_rate: 50, conversions: 2, revenue: 20.01 },
	});
});

test("a page past the end has no rows and still tells the total", async () => {
	const { body } = await get("/stats/pages?period=7d&page=9&page_size=1");
	assert.deepEqual(body, { data: [], total: 3, page: 9, page_size: 1, has_next: false, has_prev: true });
});

test("pages count views by path and entrances by landing page; pages with conversions alone are no rows", async () => {
	const { body } = await get(
		"/stats/pages?period=7d&include[]=device&include_utm=true&sort_by=entrances&path_filter=/",
	);
	assert.equal(body.total, 3);
	assert.deepEqual(body.data[0], {
		path: "/",
		content_grouping: "home",
		page_views: 2,
		entrances: 2,
		utm_source: "google",
		utm_medium: "organic",
		utm_campaign: "",
		utm_term: "",
		utm_content: "",
		device_type: "mobile",
	});
});

test("the overview of a day with series by the hour", async () => {
	const { body } = await get("/stats/overview?start_date=2026-11-20&end_date=2026-11-20&compare=previous");
	assert.equal(body.success, true);
	assert.deepEqual(body.data.date_range, { start_date: "2026-11-20", end_date: "2026-11-20", days: 1 });
	assert.deepEqual(body.data.traffic, {
		entrances: 1,
		engaged_entrances: 1,
		page_views: 2,
		microconversions: 0,
		conversions: 1,
		revenue: 10,
		bounce_rate: 0,
		pages_per_session: 2,
		visitors: 1,
		visit_duration: 0,
	});
	assert.deepEqual(body.data.conversions, {
		conversions: 1,
		revenue: 10,
		microconversions: 0,
		conversion_rate: 100,
		average_order_value: 10,
	});
	assert.equal(body.data.traffic_change.entrances, 1);
	assert.equal(body.data.conversions_change.conversions, 0);
	const series = body.data.page_views_series;
	assert.equal(series.metric, "page_views");
	assert.equal(series.points.length, 24);
	assert.deepEqual(series.points[9], { date: "2026-11-20", hour: 9, day_of_week: 5, value: 2 });
	assert.equal(series.total, 2);
	assert.equal(series.average, 0.08);
	assert.equal(body.data.entrances_series_compare.points[0].date, "2026-11-19");
});

test("the overview has no series unless asked", async () => {
	const { body } = await get("/stats/overview?period=7d");
	assert.deepEqual(Object.keys(body.data), ["date_range", "traffic", "conversions"]);
	const daily = await get("/stats/overview?period=7d&granularity=auto");
	assert.deepEqual(daily.body.data.revenue_series.points.at(-1), { date: "2026-11-21", value: 10.01 });
	assert.equal(daily.body.data.entrances_series_compare, undefined);
});

const refused: Readonly<Record<string, string>> = {
	"/stats/pages?sort_by=revenue": "sort_by",
	"/stats/sources?sort_by=bounce_rate": "sort_by",
	"/stats/sources?country=ES&country=Spain": "country",
	"/stats/sources?start_date=0999-12-31": "start_date",
	"/stats/sources?compare=previous&compare_align=whole": "compare_align",
	"/stats/sources?compare=custom": "compare_start",
	"/stats/sources?compare=custom&compare_start=2026-11-01": "compare_end",
	"/stats/overview?compare=custom&compare_end=2026-11-01": "compare_start",
	"/stats/overview?compare=custom&compare_start=2026-11-02&compare_end=2026-11-01": "compare_end",
	"/stats/devices?compare=custom&compare_start=2024-11-01&compare_end=2026-11-01": "compare_end",
	"/stats/sources?compare_start=2026-11-01": "compare_start",
	"/stats/top-channels?compare=yoy&compare_end=2026-11-01": "compare_end",
	"/stats/sources?filters=path:regex:\\p{Emoji}": "filters",
	"/stats/overview?filters=path:not_regex:(\\pL{30}\\pN{30}){15}": "filters",
	"/stats/pages/top?country=ES&country=FR": "country",
};

test("parameters that do not go together, and values that no report takes, answer 422 on their field", async () => {
	for (const [url, field] of Object.entries(refused)) {
		const { status, body } = await get(url);
		assert.deepEqual([status, body.error?.detail?.[0]?.field], [422, `query.${field}`], url);
	}
});

test("a series by the hour covers 92 days, others as many as a report", async () => {
	const series = (start: string, granularity: string) =>
		get(`/stats/overview?start_date=${start}&end_date=2026-11-20&granularity=${granularity}`);
	const full = await series("2026-08-21", "hourly");
	assert.equal(full.body.data.entrances_series.points.length, 92 * 24);
	const refused = await series("2026-08-20", "hourly");
	assert.deepEqual(
		[refused.status, refused.body.error.code, refused.body.error.message],
		[400, "bad_request", "A series by the hour covers at most 92 days: choose fewer, or granularity=daily"],
	);
	assert.equal((await series("2026-08-20", "daily")).status, 200);
	assert.equal((await series("2026-08-20", "auto")).status, 200);
});

test("points of weeks and months bear their first day within the range, and rates are made of their sums", async () => {
	const asked = async (granularity: string) => {
		const days = "start_date=2026-10-30&end_date=2026-11-21";
		const { body } = await get(
			`/stats/overview?${days}&granularity=${granularity}&series[]=page_views&series[]=bounce_rate`,
		);
		const { page_views_series: views, bounce_rate_series: rate, entrances_series: others, traffic } = body.data;
		assert.deepEqual([views.total, rate.total, others], [traffic.page_views, traffic.bounce_rate, undefined]);
		assert.equal(
			views.points.reduce((sum: number, { value }: { value: number }) => sum + value, 0),
			traffic.page_views,
		);
		assert.equal(rate.points.at(-1).value, traffic.bounce_rate);
		return views.points.map(({ date }: { date: string }) => date);
	};
	assert.deepEqual(await asked("weekly"), ["2026-10-30", "2026-11-02", "2026-11-09", "2026-11-16"]);
	assert.deepEqual(await asked("monthly"), ["2026-10-30", "2026-11-01"]);
});

test("naming a series is enough to have it", async () => {
	const { body } = await get("/stats/overview?period=7d&series[]=conversion_rate");
	assert.deepEqual(
		Object.keys(body.data).filter((name) => name.includes("_series")),
		["conversion_rate_series"],
	);
});
