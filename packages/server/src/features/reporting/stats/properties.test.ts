import assert from "node:assert/strict";
import { test } from "node:test";
import { pageviewRow } from "../../../../test/support/event-rows.ts";
import { insertRows, reportsOn } from "../../../../test/support/oracle-app.ts";
import type { EventRow } from "../../../analytics/model/event-row.ts";

const site = { id: "shop", timezone: "UTC" };

const ts = Date.parse("2026-11-20T10:00:00Z");
const base = { site: site.id, ts, page_view: 0 as const };
const sale = (properties: EventRow["properties"], revenue = 0, own: Partial<EventRow> = {}) =>
	pageviewRow({ ...base, kind: "conversion", event_type: "purchase", conversion: 1, properties, revenue, ...own });
const micro = (properties: EventRow["properties"], own: Partial<EventRow> = {}) =>
	pageviewRow({ ...base, kind: "microconversion", event_type: "scroll", microconversion: 1, properties, ...own });
const item = (properties: EventRow["properties"], own: Partial<EventRow> = {}) =>
	pageviewRow({ ...base, kind: "item", event_type: "purchase", properties, ...own });
const google = { utm_source: "google", utm_medium: "cpc", utm_campaign: "sale" };

const odd = "__proto__";
const rows = [
	sale({ plan: "club", coupon: "" }, 10.25, google),
	sale({ plan: "club" }, 5, google),
	sale({ plan: "free", quantity: "9" }, -1),
	micro({ plan: "club", depth: "75" }),
	micro({ [odd]: "x'; --", "{key:String}": "{key:String}" }),
	item({ sku: "a", quantity: "3" }, google),
	item({ sku: "a" }),
	item({ sku: "b", quantity: "two" }),
	item({ sku: "b", quantity: "1.5" }),
	item({ sku: "c", quantity: "0" }),
	sale({ plan: "late" }, 1, { date: "2026-01-01" }),
	sale({ plan: "foreign" }, 1, { site: "other" }),
];

const here = reportsOn({ rows, sites: [site] });

async function get(route: string, query = "") {
	const response = await here.app.inject({ url: `/stats/properties/${route}?site_id=${site.id}&period=7d&${query}` });
	return { status: response.statusCode, body: response.json() };
}

const row = (key: string, conversions_count: number, microconversions_count: number) => ({
	key,
	conversions_count,
	microconversions_count,
	total_count: conversions_count + microconversions_count,
});

test("keys count the events that carry them, the most frequent first", async () => {
	const both = await get("keys");
	assert.deepEqual(both.body.data, [
		row("plan", 3, 1),
		row(odd, 0, 1),
		row("coupon", 1, 0),
		row("depth", 0, 1),
		row("quantity", 1, 0),
		row("{key:String}", 0, 1),
	]);
	const conversions = await get("keys", "table=conversions&utm_source=google");
	assert.deepEqual(conversions.body.data, [row("plan", 2, 0), row("coupon", 1, 0)]);
	const micro = await get("keys", "table=microconversions&filters=utm_source:ne:google");
	assert.deepEqual((await get("keys", "conversion_type=scroll&table=conversions")).body.data, []);
	assert.deepEqual(micro.body.data, [row(odd, 0, 1), row("depth", 0, 1), row("plan", 0, 1), row("{key:String}", 0, 1)]);
});

test("an item counts as often as its quantity says, and the quantity is no key of its own", async () => {
	assert.deepEqual((await get("keys", "table=conversion_items")).body.data, [row("sku", 6, 0)]);
	const { body } = await get("values", "table=conversion_items&property_key=sku&group_by=all");
	const direct = { utm_source: "(direct)", utm_medium: "(none)", utm_campaign: "" };
	const zero = { microconversions_count: 0, revenue: 0 };
	assert.deepEqual(body.data, [
		{ property_value: "a", ...google, conversions_count: 3, ...zero },
		{ property_value: "b", ...direct, conversions_count: 2, ...zero },
		{ property_value: "a", ...direct, conversions_count: 1, ...zero },
	]);
});

test("values come with their counts and revenue by source, page by page", async () => {
	const { body } = await get("values", "property_key=plan");
	const figures = (conversions_count: number, microconversions_count: number, revenue: number) => ({
		conversions_count,
		microconversions_count,
		revenue,
	});
	const expected = [
		{ property_value: "club", utm_source: "google", ...figures(2, 0, 15.25) },
		{ property_value: "club", utm_source: "(direct)", ...figures(0, 1, 0) },
		{ property_value: "free", utm_source: "(direct)", ...figures(1, 0, -1) },
	];
	assert.deepEqual(body, { data: expected, total: 3, page: 1, page_size: 50, has_next: false, has_prev: false });
	const second = await get("values", "property_key=plan&page=2&page_size=2");
	assert.deepEqual([second.body.data, second.body.total], [expected.slice(2), 3]);
	const past = await get("values", "property_key=plan&page=9&page_size=2");
	assert.deepEqual([past.body.data, past.body.total, past.body.has_next], [[], 3, false]);
	const typed = await get("values", "property_key=plan&conversion_type=scroll&group_by=utm_medium");
	assert.deepEqual(typed.body.data, [{ property_value: "club", utm_medium: "(none)", ...figures(0, 1, 0) }]);
});

test("a breakdown has the values of one property within each source", async () => {
	const { body } = await get("breakdown", "property_key=plan");
	assert.deepEqual(body.data, {
		property_key: "plan",
		property_values: ["club", "free"],
		total_events: 4,
		date_from: "2026-11-15",
		date_to: "2026-11-21",
		data: [
			{ utm_source: "(direct)", utm_medium: "(none)", utm_campaign: "", total: 2, values: { club: 1, free: 1 } },
			{ ...google, total: 2, values: { club: 2 } },
		],
		totals: { club: 3, free: 1 },
	});
	const nothing = await get("breakdown", "property_key=none&table=conversions");
	assert.deepEqual(
		[
			nothing.body.data.property_values,
			nothing.body.data.total_events,
			nothing.body.data.data,
			nothing.body.data.totals,
		],
		[[], 0, [], {}],
	);
});

test("names and values are looked for as they are, whatever they look like", async () => {
	const { body } = await get("breakdown", `property_key=${odd}`);
	assert.deepEqual(body.data.totals, { "x'; --": 1 });
	const braces = await get("values", `property_key=${encodeURIComponent("{key:String}")}`);
	assert.deepEqual(braces.body.data.length, 1);
	for (const key of ["' OR 1=1 --", "\\", "plan\u0000", "%", "pla_", "日本語"]) {
		const values = await get("values", `property_key=${encodeURIComponent(key)}`);
		assert.deepEqual([values.status, values.body.total], [200, 0], key);
	}
});

test("a breakdown lists 100 values and 100 sources, and still counts all events", async () => {
	const many = Array.from({ length: 150 }, (_, index) => {
		const source = String(index).padStart(3, "0");
		return sale({ order: `O-${source}` }, 0, { utm_source: source, date: "2026-03-01" });
	});
	await insertRows(here.store, many);
	const { data } = await here.get(
		`/stats/properties/breakdown?site_id=${site.id}&property_key=order&start_date=2026-03-01&end_date=2026-03-01`,
	);
	assert.deepEqual(
		[data.total_events, data.property_values.length, data.data.length, Object.keys(data.totals).length],
		[150, 100, 100, 100],
	);
	assert.deepEqual(data.data[0].values, { "O-000": 1 });
});

test("wrong parameters answer 422 on their field", async () => {
	const cases: [string, string, string][] = [
		["values", "", "query.property_key"],
		["values", "property_key=", "query.property_key"],
		["breakdown", "", "query.property_key"],
		["breakdown", "property_key=plan&property_key=coupon", "query.property_key"],
	];
	for (const [route, query, field] of cases) {
		const { status, body } = await get(route, query);
		assert.deepEqual([status, body.error?.detail[0].field], [422, field], `${route} ${query}`);
	}
});
