import assert from "node:assert/strict";
import { test } from "node:test";
import { pageviewRow } from "../../../../test/support/event-rows.ts";
import { reportsOn } from "../../../../test/support/oracle-app.ts";
import type { EventRow } from "../../../analytics/model/event-row.ts";
import { localHour } from "../../../analytics/model/site-clock.ts";

const site = { id: "shop", timezone: "Europe/Madrid" };

const event = (kind: "conversion" | "microconversion" | "item", time: string, own: Partial<EventRow>) => {
	const ts = Date.parse(time);
	const row = { site: site.id, ts, ...localHour(site.timezone, ts), kind, page_view: 0 as const };
	if (kind === "conversion") return pageviewRow({ ...row, conversion: 1, ...own });
	return pageviewRow({ ...row, ...(kind === "microconversion" && { microconversion: 1 }), ...own });
};

const ad = { utm_source: "google", utm_medium: "cpc", utm_campaign: "sale", clid: "g-1", channel: "Paid Search" };
const bought = { event_type: "purchase", landing_path: "/offer", ...ad };

const rows = [
	event("conversion", "2026-11-19T23:30:00.250Z", {
		...bought,
		amount: 12.5,
		properties: { order: "A1", __proto__x: "" },
	}),
	event("conversion", "2026-11-18T10:00:00Z", { event_type: "signup", properties: { utm_source: "mine" } }),
	event("item", "2026-11-19T23:30:00.250Z", { ...bought, properties: { sku: "b", quantity: "2" } }),
	event("item", "2026-11-19T23:30:00.250Z", { ...bought, properties: { sku: "a" } }),
	event("microconversion", "2026-11-19T23:30:00.007Z", { event_type: "scroll", country: "DE", device: "mobile" }),
	event("microconversion", "2026-11-01T08:00:00Z", { event_type: "video", browser: "Safari", os: "iOS" }),
	// The repeated hour of the day on which clocks go back.
	event("microconversion", "2026-10-25T00:15:00Z", { event_type: "scroll" }),
	event("microconversion", "2026-10-25T01:15:00Z", { event_type: "scroll" }),
	// Two years and a day ago, and exactly two years ago.
	event("microconversion", "2024-11-20T10:00:00Z", { event_type: "old" }),
	event("microconversion", "2024-11-21T10:00:00Z", { event_type: "kept" }),
	event("item", "2024-11-20T10:00:00Z", { ...bought }),
	event("conversion", "2024-11-20T10:00:00Z", { ...bought }),
	// Booked when the site's clock was that of New York.
	{ ...event("microconversion", "2026-06-01T02:30:00Z", { event_type: "moved" }), date: "2026-05-31", hour: 22 },
	{ ...event("conversion", "2026-11-19T10:00:00Z", {}), site: "other" },
];

const here = reportsOn({ rows, sites: [site] });

async function get(path: string, query = "") {
	const response = await here.app.inject({ url: `/stats/${path}/raw?site_id=${site.id}&${query}` });
	return { status: response.statusCode, body: response.json() };
}

async function typesOf(path: string, query: string): Promise<string[]> {
	const { status, body } = await get(path, query);
	assert.equal(status, 200, JSON.stringify(body));
	return body.data.map((row: { conversion_type: string }) => row.conversion_type);
}

const audience = { country: "ES", device_type: "desktop" };
const paid = {
	...audience,
	channel_group: "Paid Search",
	utm_source: "google",
	utm_medium: "cpc",
	utm_campaign: "sale",
	utm_term: "",
	utm_content: "",
};

test("raw conversions come oldest first, with the service's attribution beside the site's own properties", async () => {
	const { body } = await get("conversions", "period=7d");
	assert.deepEqual(body, {
		data: [
			{
				timestamp: "2026-11-18T10:00:00.000Z",
				date: "2026-11-18",
				hour: 11,
				timestamp_utc: "2026-11-18T10:00:00.000Z",
				timestamp_local: "2026-11-18T11:00:00.000+01:00",
				conversion_type: "signup",
				amount: 0,
				...audience,
				landing_page: "/",
				browser: "Firefox",
				os: "Linux",
				channel_group: "Direct",
				utm_source: "(direct)",
				utm_medium: "(none)",
				utm_campaign: "",
				utm_term: "",
				utm_content: "",
				properties: { utm_source: "mine" },
				clid: "",
			},
			{
				timestamp: "2026-11-19T23:30:00.250Z",
				date: "2026-11-20",
				hour: 0,
				timestamp_utc: "2026-11-19T23:30:00.250Z",
				timestamp_local: "2026-11-20T00:30:00.250+01:00",
				conversion_type: "purchase",
				amount: 12.5,
				...paid,
				landing_page: "/offer",
				browser: "Firefox",
				os: "Linux",
				properties: { order: "A1", __proto__x: "" },
				clid: "g-1",
			},
		],
		total: 2,
		page: 1,
		page_size: 50,
		has_next: false,
		has_prev: false,
	});
});

test("raw items share the moment of their purchase and have their own properties", async () => {
	const item = {
		date: "2026-11-20",
		hour: 0,
		timestamp_utc: "2026-11-19T23:30:00.250Z",
		timestamp_local: "2026-11-20T00:30:00.250+01:00",
		conversion_type: "purchase",
		...paid,
		landing_page: "/offer",
		browser: "Firefox",
		os: "Linux",
	};
	const { body } = await get("conversion-items", "period=7d");
	assert.deepEqual(body.data, [
		{ ...item, properties: { sku: "a" }, clid: "g-1" },
		{ ...item, properties: { sku: "b", quantity: "2" }, clid: "g-1" },
	]);
	const second = await get("conversion-items", "period=7d&page=2&page_size=1");
	assert.deepEqual(second.body.data, body.data.slice(1));
	assert.deepEqual([second.body.total, second.body.has_next, second.body.has_prev], [2, false, true]);
});

test("raw microconversions carry neither amount nor click id, and their local time is that of the site", async () => {
	const { body } = await get("microconversions", "start_date=2026-11-20&end_date=2026-11-20");
	assert.deepEqual(body.data, [
		{
			date: "2026-11-20",
			hour: 0,
			timestamp_utc: "2026-11-19T23:30:00.007Z",
			timestamp_local: "2026-11-20T00:30:00.007+01:00",
			conversion_type: "scroll",
			country: "DE",
			device_type: "mobile",
			channel_group: "Direct",
			utm_source: "(direct)",
			utm_medium: "(none)",
			utm_campaign: "",
			utm_term: "",
			utm_content: "",
			landing_page: "/",
			browser: "Firefox",
			os: "Linux",
			properties: {},
		},
	]);
});

test("the offset tells the two passes of a repeated hour apart", async () => {
	const { body } = await get("microconversions", "start_date=2026-10-25&end_date=2026-10-25");
	assert.deepEqual(
		body.data.map((row: Record<string, unknown>) => [row.date, row.hour, row.timestamp_local]),
		[
			["2026-10-25", 2, "2026-10-25T02:15:00.000+02:00"],
			["2026-10-25", 2, "2026-10-25T02:15:00.000+01:00"],
		],
	);
});

test("rows of before a change of the time zone keep their day and hour, and the local time agrees with them", async () => {
	const { body } = await get("microconversions", "start_date=2026-05-31&end_date=2026-05-31");
	assert.deepEqual(
		body.data.map((row: Record<string, unknown>) => [row.date, row.hour, row.timestamp_local]),
		[["2026-05-31", 22, "2026-05-31T22:30:00.000-04:00"]],
	);
});

test("microconversions and items are read two years back, conversions without end", async () => {
	const days = "start_date=2024-11-15&end_date=2024-11-30";
	assert.deepEqual(await typesOf("microconversions", days), ["kept"]);
	assert.deepEqual(await typesOf("conversion-items", days), []);
	assert.deepEqual(await typesOf("conversions", days), ["purchase"]);
	const before = await get("microconversions", "start_date=2024-11-15&end_date=2024-11-19&page=3");
	assert.deepEqual(before.body, { data: [], total: 0, page: 3, page_size: 50, has_next: false, has_prev: true });
});

test("repeated filters mean any of their values, and different ones all hold", async () => {
	const november = "start_date=2026-10-25&end_date=2026-11-20";
	const cases: [string, string[]][] = [
		["conversion_type=video&conversion_type=none", ["video"]],
		["country=de&country[]=FR", ["scroll"]],
		["device_type=mobile&device_type=tablet", ["scroll"]],
		["browser=Safari&os=iOS", ["video"]],
		["browser=Safari&os=Linux", []],
		["channel_group=Direct&conversion_type=video", ["video"]],
		["landing_page=/nowhere", []],
		["utm_source=google", []],
		["utm_term=&utm_content=&utm_campaign=&conversion_type=video", ["video"]],
		["filters=os:eq:iOS", ["video"]],
		["clid=g-1&conversion_type=video", ["video"]],
	];
	for (const [query, types] of cases) {
		assert.deepEqual(await typesOf("microconversions", `${november}&${query}`), types, query);
	}
	assert.deepEqual(await typesOf("conversions", "period=7d&clid=g-1&clid=g-2"), ["purchase"]);
	assert.deepEqual(await typesOf("conversions", "period=7d&clid="), ["signup"]);
	assert.deepEqual(await typesOf("conversion-items", "period=7d&landing_page=/offer&utm_medium=cpc&clid=x"), []);
});

test("`limit` is another name of `page_size` on raw routes, and goes before it", async () => {
	for (const path of ["conversions", "conversion-items"]) {
		for (const size of ["limit=1", "limit=1&page_size=100"]) {
			const { body } = await get(path, `period=7d&${size}`);
			assert.deepEqual(
				[body.data.length, body.page_size, body.total, body.has_next],
				[1, 1, 2, true],
				`${path} ${size}`,
			);
		}
	}
});

test("raw routes cover 31 days and 10,000 rows a page, and ignore sorting", async () => {
	for (const path of ["conversions", "microconversions", "conversion-items"]) {
		assert.equal((await get(path, "start_date=2026-10-01&end_date=2026-10-31&page_size=10000")).status, 200, path);
		assert.equal((await get(path, "start_date=2026-10-01&end_date=2026-11-01")).status, 400, path);
		assert.equal((await get(path, "sort_by=amount&sort_order=sideways")).status, 200, path);
	}
});
