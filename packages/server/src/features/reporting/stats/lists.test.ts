import assert from "node:assert/strict";
import { test } from "node:test";
import { pageviewRow } from "../../../../test/support/event-rows.ts";
import { reportsOn } from "../../../../test/support/oracle-app.ts";
import type { EventRow } from "../../../analytics/model/event-row.ts";

const at = (day: string, hour: number) => Date.parse(`2026-11-${day}T00:00:00Z`) + hour * 3_600_000;

type Session = Partial<EventRow> & { readonly session: string };

const spain = {
	session: "1",
	country: "ES",
	device: "mobile",
	browser: "Chrome",
	os: "Android",
	channel: "Organic Search",
	utm_source: "google",
	utm_medium: "organic",
	referrer: "google.com",
	landing_path: "/blog/a",
	landing_group: "blog",
} as const satisfies Session;
const germany = {
	session: "2",
	country: "DE",
	utm_source: "newsletter",
	utm_medium: "email",
	utm_campaign: "spring",
	utm_term: "shoes",
	utm_content: "top",
	channel: "Email",
	landing_path: "/offer",
	landing_group: "shop",
} as const satisfies Session;
const direct = { session: "3", country: "ES", landing_path: "/blog/b", landing_group: "blog" } as const;

const hit = (session: Session, ts: number, values: Partial<EventRow>) =>
	pageviewRow({ site: "shop", ts, ...session, ...values });
const entrance = (session: Session, ts: number) =>
	hit(session, ts, { path: session.landing_path ?? "", content_group: session.landing_group ?? "", entrance: 1 });
const sale = (session: Session, ts: number, type: string, amount: number) =>
	hit(session, ts, {
		...{ kind: "conversion", page_view: 0, conversion: 1, event_type: type, path: "/done", content_group: "checkout" },
		...{ amount, revenue: amount },
	});
const signal = (session: Session, ts: number, type: string) =>
	hit(session, ts, { kind: "microconversion", page_view: 0, microconversion: 1, event_type: type, path: "/form" });

const rows: EventRow[] = [
	entrance(spain, at("20", 9)),
	hit(spain, at("20", 9), { path: "/cart", content_group: "" }),
	hit(spain, at("20", 9), { kind: "engaged", path: "/blog/a", content_group: "blog", page_view: 0, engaged: 1 }),
	sale(spain, at("20", 10), "purchase", 10.5),
	sale(spain, at("20", 11), "purchase", 20),
	signal(spain, at("20", 11), "signup"),
	entrance(germany, at("20", 12)),
	sale(germany, at("20", 13), "lead", 0),
	signal(germany, at("20", 13), "signup"),
	entrance(direct, at("20", 14)),
	signal(direct, at("20", 14), "video"),
	entrance({ ...spain, session: "9" }, at("19", 9)),
	sale({ ...spain, session: "9" }, at("19", 10), "purchase", 99),
];

const here = reportsOn({ rows, sites: [{ id: "shop", timezone: "UTC" }] });

/** The answer about 20 November. */
const ask = (url: string) =>
	here.get(`/stats/${url}${url.includes("?") ? "&" : "?"}site_id=shop&start_date=2026-11-20&end_date=2026-11-20`);

const keysOf = async (url: string, field: string) =>
	(await ask(url)).data.map((row: Record<string, unknown>) => row[field]);

test("each campaign dimension and the referrer have a list with the traffic columns, searched in any case", async () => {
	const newsletter = {
		...{ entrances: 1, page_views: 1, engaged_entrances: 0, bounce_rate: 100, conversions: 1, revenue: 0 },
	};
	assert.deepEqual((await ask("mediums?search=MAIL")).data, [{ utm_medium: "email", ...newsletter }]);
	assert.deepEqual((await ask("sources?search=news")).data, [{ utm_source: "newsletter", ...newsletter }]);
	assert.deepEqual((await ask("campaigns?search=spring")).data, [{ utm_campaign: "spring", ...newsletter }]);
	assert.deepEqual((await ask("terms?search=shoes")).data, [{ utm_term: "shoes", ...newsletter }]);
	assert.deepEqual((await ask("contents?search=TOP")).data, [{ utm_content: "top", ...newsletter }]);
	assert.deepEqual(await keysOf("referrers?sort_by=revenue", "referrer_domain"), ["google.com", ""]);
});

test("countries have names, and beside each number the one of the day before", async () => {
	const { data, comparison, totals } = await ask("geo/countries?compare=previous&include_totals=true");
	assert.deepEqual(
		data.map((row: Record<string, unknown>) => [row.country, row.country_name, row.revenue, row.revenue_prev]),
		[
			["ES", "Spain", 30.5, 99],
			["DE", "Germany", 0, 0],
		],
	);
	assert.equal(data[0].bounce_rate, 50);
	assert.equal(data[0].bounce_rate_prev, 100);
	assert.equal(comparison.revenue, 99);
	assert.equal(totals.revenue, 30.5);
});

test("a landing page has the content group of its entrance, whatever the group of the page that sold", async () => {
	const { data, total } = await ask("landing-pages?sort_by=revenue");
	assert.equal(total, 3);
	assert.deepEqual(data[0], {
		landing_page: "/blog/a",
		content_grouping: "blog",
		entrances: 1,
		engaged_entrances: 1,
		bounce_rate: 0,
		microconversions: 1,
		conversions: 2,
		conversion_rate: 100,
		revenue: 30.5,
	});
	const blog = await ask(
		"landing-pages?content_grouping=blog&path_filter=/b&sort_by=bounce_rate&include=os&include_utm=1",
	);
	assert.deepEqual(
		blog.data.map((row: Record<string, unknown>) => [row.landing_page, row.bounce_rate, row.os, row.utm_source]),
		[
			["/blog/b", 100, "Linux", "(direct)"],
			["/blog/a", 0, "Android", "google"],
		],
	);
	assert.deepEqual((await ask("landing-pages/by-content-group")).data[0], {
		content_grouping: "blog",
		unique_pages: 2,
		entrances: 2,
		engaged_entrances: 1,
		bounce_rate: 50,
		microconversions: 2,
		conversions: 2,
		conversion_rate: 100,
		revenue: 30.5,
	});
	assert.deepEqual(await keysOf("landing-pages/top?limit=2", "landing_page"), ["/blog/a", "/blog/b"]);
});

test("channels carry bounces and all metrics", async () => {
	const { data } = await ask("channels?search=SEARCH");
	const search = {
		...{ channel: "Organic Search", bounces: 0, conversion_rate: 100, entrances: 1, engaged_entrances: 1 },
		...{ page_views: 2, microconversions: 1, conversions: 2, revenue: 30.5, bounce_rate: 0 },
	};
	assert.deepEqual(data, [search]);
	assert.deepEqual((await ask("top-channels?sort_by=revenue&limit=1")).data, [search]);
});

test("device types, browsers and systems show their share of all entrances", async () => {
	const { data } = await ask("devices?compare=previous");
	const shares = (list: Record<string, unknown>[]) => list.map(({ percentage, entrances }) => [entrances, percentage]);
	assert.deepEqual(shares(data.by_device), [
		[2, 66.67],
		[1, 33.33],
	]);
	assert.equal(data.by_device[0].device, "desktop");
	assert.equal(data.by_browser[1].browser, "Chrome");
	assert.equal(data.by_os[1].os, "Android");
	assert.deepEqual(shares(data.comparison.by_device), [[1, 100]]);
	const types = await ask("devices/types?page_size=1&page=2");
	assert.deepEqual(
		[types.data[0].device_type, types.data[0].device, types.data[0].percentage],
		["mobile", "mobile", 33.33],
	);
	assert.deepEqual(await keysOf("browsers", "browser"), ["Firefox", "Chrome"]);
	assert.deepEqual(await keysOf("operating-systems?sort_order=asc", "os"), ["Android", "Linux"]);
});

test("conversions come by type, with their sources and countries inside", async () => {
	const source = { utm_source: "google", utm_medium: "organic", utm_campaign: "", utm_term: "", utm_content: "" };
	const { data, comparison, page_size: pageSize } = await ask("conversions?compare=previous");
	assert.deepEqual(data[0], {
		conversion_type: "purchase",
		count: 2,
		revenue: 30.5,
		avg_value: 15.25,
		count_prev: 1,
		revenue_prev: 99,
		avg_value_prev: 99,
		by_source: [{ ...source, conversions: 2, revenue: 30.5, percentage: 100 }],
		by_country: [{ country: "ES", conversions: 2, revenue: 30.5, percentage: 100 }],
	});
	assert.equal(data[1].conversion_type, "lead");
	assert.deepEqual(comparison, { count: 1, revenue: 99, avg_value: 99 });
	assert.equal(pageSize, 20);
	assert.deepEqual(await keysOf("conversions?sort_by=avg_value&sort_order=asc", "conversion_type"), [
		"lead",
		"purchase",
	]);
	assert.deepEqual(await keysOf("conversions?conversion_type=lead&conversion_type=video", "conversion_type"), ["lead"]);
});

test("microconversions come by type, one type in detail, and the types as names", async () => {
	const { data } = await ask("microconversions");
	assert.deepEqual([data[0].conversion_type, data[0].count, data[0].by_source.length], ["signup", 2, 2]);
	assert.equal(data[0].by_source[0].percentage, 50);
	assert.deepEqual(await keysOf("microconversions?conversion_type=video&conversion_type=lead", "conversion_type"), [
		"video",
	]);
	assert.deepEqual((await ask("microconversions/signup")).data, {
		conversion_type: "signup",
		date_from: "2026-11-20",
		date_to: "2026-11-20",
		totals: { count: 2 },
		by_device: [
			{ device_type: "desktop", count: 1, percentage: 50 },
			{ device_type: "mobile", count: 1, percentage: 50 },
		],
		by_country: [
			{ country: "DE", count: 1, percentage: 50 },
			{ country: "ES", count: 1, percentage: 50 },
		],
		by_landing_page: [
			{ landing_page: "/blog/a", count: 1, percentage: 50 },
			{ landing_page: "/offer", count: 1, percentage: 50 },
		],
		by_source: [
			{ utm_source: "google", utm_medium: "organic", count: 1, percentage: 50 },
			{ utm_source: "newsletter", utm_medium: "email", count: 1, percentage: 50 },
		],
	});
	assert.deepEqual((await ask("microconversions/no such type")).data.totals, { count: 0 });
	assert.deepEqual((await ask("microconversions-types")).data, ["signup", "video"]);
});

test("the first pages, and content groups without the empty one", async () => {
	assert.deepEqual((await ask("pages/top?limit=1&country=es&sort_by=entrances")).data, [
		{ path: "/blog/a", page_views: 1, entrances: 1, engaged_entrances: 1, bounce_rate: 0 },
	]);
	assert.deepEqual((await ask("pages/content-groups")).data, [
		{ content_grouping: "blog", unique_pages: 2, page_views: 2, entrances: 2 },
		{ content_grouping: "shop", unique_pages: 1, page_views: 1, entrances: 1 },
	]);
});

test("a conversion without an amount does not lower the average order value", async () => {
	const { data } = await ask("overview");
	const { conversions, revenue, average_order_value } = data.conversions;
	assert.deepEqual([conversions, revenue, average_order_value], [3, 30.5, 15.25]);
	const response = await here.app.inject({
		method: "POST",
		url: "/stats/query?site_id=shop",
		payload: {
			date_from: "2026-11-20",
			date_to: "2026-11-20",
			dimensions: ["country"],
			metrics: ["average_order_value"],
		},
	});
	assert.deepEqual(response.json().data, [{ country: "ES", average_order_value: 15.25 }]);
});

test("lists of pages offer no visit duration: 422 names the numbers that there are", async () => {
	for (const url of ["/stats/pages", "/stats/pages/top"]) {
		const response = await here.app.inject({ url: `${url}?site_id=shop&include=visit_duration` });
		assert.deepEqual([response.statusCode, response.json().error.detail[0].field], [422, "query.include.0"]);
	}
});

test("parameters that a route does not take change nothing", async () => {
	const plain = await ask("pages?include=os");
	assert.deepEqual(await ask("pages?include=os&include_totals=true&search=zzz&landing_page=/x&limit=0"), plain);
	assert.deepEqual(await ask("devices?content_grouping=none&sort_by=nothing&page=0"), await ask("devices"));
});
