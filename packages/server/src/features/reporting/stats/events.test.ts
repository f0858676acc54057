import assert from "node:assert/strict";
import { test } from "node:test";
import { pageviewRow } from "../../../../test/support/event-rows.ts";
import { insertRows, reportsOn } from "../../../../test/support/oracle-app.ts";
import type { EventRow } from "../../../analytics/model/event-row.ts";
import { localHour } from "../../../analytics/model/site-clock.ts";

type Kind = "conversion" | "microconversion" | "item";

const event = (site: string, kind: Kind, time: string, own: Partial<EventRow>) => {
	const ts = Date.parse(time);
	const counted = kind === "item" ? {} : { [kind]: 1 };
	return pageviewRow({ site, ts, ...localHour("Europe/Madrid", ts), kind, page_view: 0, ...counted, ...own });
};

const ad = { utm_source: "google", utm_medium: "cpc", utm_campaign: "sale", clid: "g-1", channel: "Paid Search" };
const bought = { event_type: "purchase", landing_path: "/offer", ...ad };

const raw = (kind: Kind, time: string, own: Partial<EventRow>) => event("raw", kind, time, own);
const rawRows = [
	raw("conversion", "2026-11-19T23:30:00.250Z", { ...bought, amount: 12.5, properties: { order: "A1", none: "" } }),
	raw("conversion", "2026-11-18T10:00:00Z", { event_type: "signup", properties: { utm_source: "mine" } }),
	raw("item", "2026-11-19T23:30:00.250Z", { ...bought, properties: { sku: "b", quantity: "2" } }),
	raw("item", "2026-11-19T23:30:00.250Z", { ...bought, properties: { sku: "a" } }),
	raw("microconversion", "2026-11-19T23:30:00.007Z", { event_type: "scroll", country: "DE", device: "mobile" }),
	raw("microconversion", "2026-11-01T08:00:00Z", { event_type: "video", browser: "Safari", os: "iOS" }),
	// The repeated hour of the day on which clocks go back.
	raw("microconversion", "2026-10-25T00:15:00Z", { event_type: "scroll" }),
	raw("microconversion", "2026-10-25T01:15:00Z", { event_type: "scroll" }),
	// Two years and a day ago, and exactly two years ago.
	raw("microconversion", "2024-11-20T10:00:00Z", { event_type: "old" }),
	raw("microconversion", "2024-11-21T10:00:00Z", { event_type: "kept" }),
	raw("item", "2024-11-20T10:00:00Z", { ...bought }),
	raw("conversion", "2024-11-20T10:00:00Z", { ...bought }),
	// Booked when the site's clock was that of New York.
	{ ...raw("microconversion", "2026-06-01T02:30:00Z", { event_type: "moved" }), date: "2026-05-31", hour: 22 },
	{ ...raw("conversion", "2026-11-19T10:00:00Z", {}), site: "other" },
];

const at = "2026-11-20T10:00:00Z";
const sale = (properties: EventRow["properties"], own: Partial<EventRow> = {}) =>
	event("shop", "conversion", at, { event_type: "purchase", properties, ...own });
const micro = (properties: EventRow["properties"]) =>
	event("shop", "microconversion", at, { event_type: "scroll", properties });
const item = (properties: EventRow["properties"]) => event("shop", "item", at, { event_type: "purchase", properties });

const odd = "__proto__";
const propertyRows = [
	sale({ plan: "club", coupon: "" }, { utm_source: "google" }),
	sale({ plan: "club" }, { utm_source: "google" }),
	sale({ plan: "free", quantity: "9" }),
	micro({ plan: "club", depth: "75" }),
	micro({ [odd]: "x'; --", "{key:String}": "{key:String}" }),
	...[{ sku: "a", quantity: "3" }, { sku: "a" }, { sku: "b", quantity: "two" }, { sku: "b", quantity: "1.5" }].map(
		item,
	),
	item({ sku: "c", quantity: "0" }),
	sale({ plan: "late" }, { date: "2026-01-01" }),
	sale({ plan: "foreign" }, { site: "other" }),
];

const timezone = "Europe/Madrid";
const here = reportsOn({
	rows: [...rawRows, ...propertyRows],
	sites: [
		{ id: "raw", timezone },
		{ id: "shop", timezone },
	],
});

async function get(path: string, query = "") {
	const response = await here.app.inject({ url: `/stats/${path}/raw?site_id=raw&${query}` });
	return { status: response.statusCode, body: response.json() };
}

const typesOf = async (path: string, query: string): Promise<string[]> =>
	(await get(path, query)).body.data.map((row: { conversion_type: string }) => row.conversion_type);

const unpaid = {
	...{ country: "ES", device_type: "desktop", landing_page: "/", browser: "Firefox", os: "Linux" },
	...{ channel_group: "Direct", utm_source: "(direct)", utm_medium: "(none)", utm_campaign: "" },
	...{ utm_term: "", utm_content: "" },
};
const purchase = {
	...{ ...unpaid, date: "2026-11-20", hour: 0, conversion_type: "purchase", clid: "g-1", landing_page: "/offer" },
	...{ channel_group: "Paid Search", utm_source: "google", utm_medium: "cpc", utm_campaign: "sale" },
	...{ timestamp_utc: "2026-11-19T23:30:00.250Z", timestamp_local: "2026-11-20T00:30:00.250+01:00" },
};

test("raw conversions come oldest first, with the service's attribution beside the site's own properties", async () => {
	const { body } = await get("conversions", "period=7d");
	const timestamp = "2026-11-18T10:00:00.000Z";
	const signup = {
		...{ timestamp, date: "2026-11-18", hour: 11, timestamp_utc: timestamp },
		...{ timestamp_local: "2026-11-18T11:00:00.000+01:00", conversion_type: "signup", amount: 0 },
		...{ ...unpaid, properties: { utm_source: "mine" }, clid: "" },
	};
	const properties = { order: "A1", none: "" };
	const data = [signup, { ...purchase, timestamp: purchase.timestamp_utc, amount: 12.5, properties }];
	assert.deepEqual(body, { data, total: 2, page: 1, page_size: 50, has_next: false, has_prev: false });
});

test("newest_first turns the order of raw rows around, over all pages", async () => {
	assert.deepEqual(await typesOf("conversions", "period=7d&newest_first=true"), ["purchase", "signup"]);
	assert.deepEqual(await typesOf("conversions", "period=7d&newest_first=true&page=2&page_size=1"), ["signup"]);
	const { body } = await get("conversion-items", "period=7d&newest_first=true");
	const found = body.data.map(({ properties }: { properties: object }) => properties);
	assert.deepEqual(found, [{ sku: "b", quantity: "2" }, { sku: "a" }]);
});

test("raw items share the moment of their purchase and have their own properties", async () => {
	const { body } = await get("conversion-items", "period=7d");
	const [one, other] = [{ sku: "a" }, { sku: "b", quantity: "2" }];
	assert.deepEqual(body.data, [
		{ ...purchase, properties: one },
		{ ...purchase, properties: other },
	]);
	const second = await get("conversion-items", "period=7d&page=2&page_size=1");
	assert.deepEqual(second.body.data, body.data.slice(1));
	assert.deepEqual([second.body.total, second.body.has_next, second.body.has_prev], [2, false, true]);
});

test("raw microconversions carry neither amount nor click id, and their local time is that of the site", async () => {
	const { body } = await get("microconversions", "start_date=2026-11-20&end_date=2026-11-20");
	const seen = { conversion_type: "scroll", ...unpaid, country: "DE", device_type: "mobile", properties: {} };
	const utc = { date: "2026-11-20", hour: 0, timestamp_utc: "2026-11-19T23:30:00.007Z" };
	assert.deepEqual(body.data, [{ ...utc, timestamp_local: "2026-11-20T00:30:00.007+01:00", ...seen }]);
});

test("the offset tells the passes of a repeated hour apart, and is that of the hour at which a row was booked", async () => {
	const times = async (day: string) => {
		const { body } = await get("microconversions", `start_date=${day}&end_date=${day}`);
		return body.data.map((row: Record<string, unknown>) => [row.hour, row.timestamp_local]);
	};
	assert.deepEqual(await times("2026-10-25"), [
		[2, "2026-10-25T02:15:00.000+02:00"],
		[2, "2026-10-25T02:15:00.000+01:00"],
	]);
	assert.deepEqual(await times("2026-05-31"), [[22, "2026-05-31T22:30:00.000-04:00"]]);
});

test("microconversions and items are read two years back, conversions without end", async () => {
	const days = "start_date=2024-11-15&end_date=2024-11-30";
	assert.deepEqual(await typesOf("microconversions", days), ["kept"]);
	assert.deepEqual(await typesOf("microconversions", "start_date=2024-11-15&end_date=2024-11-21"), ["kept"]);
	assert.deepEqual(await typesOf("conversion-items", days), []);
	assert.deepEqual(await typesOf("conversions", days), ["purchase"]);
	const before = await get("microconversions", "start_date=2024-11-15&end_date=2024-11-19&page=3");
	assert.deepEqual(before.body, { data: [], total: 0, page: 3, page_size: 50, has_next: false, has_prev: true });
});

const november = "start_date=2026-10-25&end_date=2026-11-20";
const filtered: readonly (readonly [path: string, query: string, ...types: string[]])[] = [
	["microconversions", "conversion_type=video&conversion_type=none", "video"],
	["microconversions", "country=de&country[]=FR", "scroll"],
	["microconversions", "device_type=mobile&device_type=tablet", "scroll"],
	["microconversions", "browser=Safari&os=iOS", "video"],
	["microconversions", "utm_term=&utm_content=&utm_campaign=&conversion_type=video", "video"],
	["microconversions", "filters=os:eq:iOS", "video"],
	["microconversions", "clid=g-1&conversion_type=video", "video"],
	["conversions", "clid=g-1&clid=g-2", "purchase"],
	["conversions", "clid=", "signup"],
	["conversion-items", "landing_page=/offer&utm_medium=cpc&clid=x"],
];

test("repeated filters mean any of their values, and different ones all hold", async () => {
	for (const [path, query, ...types] of filtered) {
		assert.deepEqual(await typesOf(path, `${november}&${query}`), types, `${path} ${query}`);
	}
});

test("raw routes cover 31 days and 10,000 rows a page, and ignore sorting; `limit` goes before `page_size`", async () => {
	for (const path of ["conversions", "microconversions", "conversion-items"]) {
		assert.equal((await get(path, "start_date=2026-10-01&end_date=2026-10-31&page_size=10000")).status, 200, path);
		assert.equal((await get(path, "start_date=2026-10-01&end_date=2026-11-01")).status, 400, path);
		assert.equal((await get(path, "sort_by=amount&sort_order=sideways")).status, 200, path);
		const { body } = await get(path, `${november}&limit=1&page_size=100`);
		assert.deepEqual([body.data.length, body.page_size, body.has_next], [1, 1, true], path);
	}
});

test("pages of rows tell the number of earlier rows, and reports without a comparison say so", async () => {
	const compared = async (path: string, site = "raw") => {
		const query = `site_id=${site}&property_key=plan&start_date=2026-11-21&end_date=2026-11-21&compare=previous`;
		const { comparison, meta } = await here.get(`/stats/${path}?${query}`);
		return comparison ?? meta;
	};
	assert.deepEqual(await compared("conversions/raw"), { total: 1 });
	assert.deepEqual(await compared("microconversions/raw"), { total: 1 });
	assert.deepEqual(await compared("properties/values", "shop"), { total: 3 });
	const others = "properties/keys properties/breakdown funnel microconversions/x microconversions-types".split(" ");
	for (const path of others) assert.deepEqual(await compared(path), { comparison: null }, path);
});

test("keys count the events that carry them, an item as often as its quantity says, the most frequent first", async () => {
	const keysOf = async (query: string) => {
		const { data } = await here.get(`/stats/properties/keys?site_id=shop&period=7d&${query}`);
		return data.map((row: object) => Object.values(row).join(" "));
	};
	const all = ["plan 3 1 4", `${odd} 0 1 1`, "coupon 1 0 1", "depth 0 1 1", "quantity 1 0 1", "{key:String} 0 1 1"];
	assert.deepEqual(await keysOf(""), all);
	assert.deepEqual(await keysOf("table=conversions&utm_source=google"), ["plan 2 0 2", "coupon 1 0 1"]);
	assert.deepEqual(await keysOf("table=conversion_items"), ["sku 6 0 6"], "the quantity is no key of its own");
});

test("a breakdown lists 100 values and 100 sources, and still counts all events", async () => {
	const many = Array.from({ length: 150 }, (_, index) => {
		const source = String(index).padStart(3, "0");
		return sale({ order: `O-${source}` }, { utm_source: source, date: "2026-03-01" });
	});
	await insertRows(here.store, many);
	const days = "start_date=2026-03-01&end_date=2026-03-01";
	const { data } = await here.get(`/stats/properties/breakdown?site_id=shop&property_key=order&${days}`);
	const { total_events, property_values, totals } = data;
	const lengths = [property_values.length, data.data.length, Object.keys(totals).length];
	assert.deepEqual([total_events, ...lengths], [150, 100, 100, 100]);
	assert.deepEqual(data.data[0].values, { "O-000": 1 });
});
