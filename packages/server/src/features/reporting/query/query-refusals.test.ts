import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { days, openQuerySite, type QuerySite } from "../../../../test/support/query-site.ts";

let site: QuerySite;

before(async () => {
	site = await openQuerySite();
});
after(() => site.app.close());

async function post(body: object, path = "/stats/query", query = "site_id=shop") {
	const response = await site.post({ ...days, ...body }, path, query);
	return { status: response.statusCode, body: response.json() };
}

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
	"body.date_from": [{ date_from: undefined }, { date_from: null }],
	"body.date_to": [{ date_to: undefined }, { date_to: "2026-02-30" }, { date_to: "21.11.2026" }],
	"body.granularity": [{ granularity: "weekly" }],
	"body.dimensions.0": [{ dimensions: ["Country"] }],
	"body.dimensions.1": [{ dimensions: ["country", "Source"] }],
	"body.dimensions": [{ dimensions: "country" }],
	"body.metrics.0": [
		{ metrics: [1] },
		{ dimensions: ["conversion_type"], metrics: ["visitors"] },
		{ dimensions: ["path"], metrics: ["visit_duration"] },
		{ dimensions: ["content_grouping"], metrics: ["visit_duration"] },
	],
	"body.metrics.1": [{ dimensions: ["conversion_type"], metrics: ["revenue", "entrances"] }],
	"body.order_by.0.field": [
		{ order_by: [{ field: "country" }] },
		{ order_by: [{ field: null }] },
		{ order_by: [{}] },
		{ metrics: ["entrances"], order_by: [{ field: "bounce_rate" }] },
	],
	"body.order_by.0.direction": [{ order_by: [{ field: "entrances", direction: "up" }] }],
	"body.filters.city": [{ filters: { city: "Rome" } }],
	"body.filters.hour_not": [{ filters: { hour_not: 8 } }],
	"body.filters.day_of_week_not": [{ filters: { day_of_week_not: [6] } }],
	"body.filters.hour_contains": [{ filters: { hour_contains: "1" } }],
	"body.filters.path_like": [{ filters: { path_like: "/a" } }],
	"body.filters.path_contains": [{ filters: { path_contains: ["/a"] } }],
	"body.filters.path_regex": [{ filters: { path_regex: "(" } }],
	"body.filters.country": [{ filters: { country: "Spain" } }],
	"body.filters.country.0": [{ filters: { country: [null] } }],
	"body.filters.country_not": [{ filters: { country_not: ["ES", ""] } }],
	"body.filters.device_type": [{ filters: { device_type: "watch" } }],
	"body.filters.os": [{ filters: { os: 1 } }, { filters: { os: [] } }],
	"body.filters.hour": [{ filters: { hour: 24 } }, { filters: { hour: "9" } }],
	"body.filters.day_of_week": [{ filters: { day_of_week: [0] } }],
	"body.filters": [{ filters: { utm_source: "x".repeat(40_000) } }],
	"body.limit": [{ limit: 0 }, { limit: "5" }],
	"body.offset": [{ offset: -1 }, { offset: 1e300 }],
	"body.compare": [{ compare: 1 }],
	"body.compare_align": [{ compare_align: "whole" }],
	"body.compare_rows": [
		{ compare: "yoy", compare_rows: "separate" },
		{ compare_rows: "joined" },
		{ compare: "yoy", compare_rows: "joined", granularity: "daily" },
		{ compare: "yoy", compare_rows: "joined", dimensions: ["date"] },
	],
	"body.compare_start": [{ compare: "custom" }, { compare: "yoy", compare_start: "2026-11-01" }],
	"body.compare_end": [
		{ compare: "custom", compare_start: "2026-11-01" },
		{ compare: "custom", compare_start: "2026-11-02", compare_end: "2026-11-01" },
		{ compare_end: "2026-11-01" },
	],
};

/** The same of explanations, whose plain question is about a metric and a comparison. */
const unexplained: typeof refused = {
	"": [{ date_to: "2026-11-01" }],
	"body.metric": [{ metric: "bounce_rate" }, { metric: undefined }],
	"body.compare": [{ compare: undefined }, { compare: "weekly" }],
	"body.compare_start": [{ compare_start: "2026-11-01" }],
	"body.compare_end": [{ compare: undefined, compare_start: "2026-11-01" }],
	"body.dimensions.0": [{ dimensions: ["date"] }],
	"body.dimensions": [{ dimensions: ["os", "os"] }, { dimensions: [] }],
	"body.filters.colour": [{ filters: { colour: "red" } }],
};

/** A page of a query is shorter than a file. */
const ofQueries: typeof refused = { ...refused, "body.limit": [{ limit: 10_001 }, ...(refused["body.limit"] ?? [])] };
const explained = { metric: "entrances", compare: "previous" };

test("a query, its export and an explanation with a fault are refused, on the field where there is one", async () => {
	for (const [path, plain, faults] of [
		["/stats/query", {}, ofQueries],
		["/stats/query/export", {}, refused],
		["/stats/explain", explained, unexplained],
	] as const) {
		for (const [field, bodies] of Object.entries(faults)) {
			for (const body of bodies) {
				const { error } = (await post({ ...plain, ...body }, path)).body;
				const asked = `${path} ${JSON.stringify(body).slice(0, 200)}`;
				assert.equal(error?.code, field === "" ? "bad_request" : "validation_error", asked);
				assert.ok(field === "" || error.detail[0].field.startsWith(field), asked);
			}
		}
	}
});

test("a file name that headers or systems do not take is refused with 422", async () => {
	for (const name of ["a b.csv", "a/b.csv", 'a".csv', "ñ.csv", "", "x".repeat(101)]) {
		const { status, body } = await post({}, "/stats/query/export", `site_id=shop&filename=${encodeURIComponent(name)}`);
		assert.deepEqual([status, body.error.detail[0].field], [422, "query.filename"], name);
	}
});

test("ten dimensions beside those of the granularity are accepted", async () => {
	const { status, body } = await post({ granularity: "hourly", dimensions: [...many, "os", "channel_group"] });
	assert.deepEqual([status, body.meta.dimensions.length, body.data.length], [200, 12, 4]);
});

const told: readonly (readonly [object, string | object])[] = [
	[
		{ dimensions: ["city"] },
		"Unknown dimension city; there are date, hour, day_of_week, country, utm_source, utm_medium, utm_campaign, utm_term, utm_content, device_type, browser, os, channel_group, path, content_grouping, landing_page, referrer_domain, conversion_type",
	],
	[{ dimensions: ["os", "country", "os"] }, "The dimension os is repeated"],
	[
		{ metrics: ["bounce_rate"] },
		"Unknown metric bounce_rate; there are entrances, engaged_entrances, page_views, microconversions, conversions, revenue, visitors, visit_duration, average_order_value; bounce_rate comes with entrances and engaged_entrances",
	],
	[
		{ dimensions: ["os"], metrics: ["revenue"], order_by: [{ field: "entrances" }] },
		{ field: "body.order_by.0.field", message: "Must be one of os, revenue", type: "enum" },
	],
	[
		{ dimensions: ["conversion_type"], metrics: ["entrances"] },
		{
			field: "body.metrics.0",
			message:
				"Only events have a conversion_type: by it there are conversions, microconversions, revenue, average_order_value. For visits with an event, filter by conversion_type instead",
			type: "value_error",
		},
	],
	[
		{ dimensions: ["path"], metrics: ["visit_duration"] },
		{
			field: "body.metrics.0",
			message: "Visits last, pages do not: there is no visit_duration by path. Group by landing_page instead",
			type: "value_error",
		},
	],
	[{ filters: { os: 1 } }, { field: "body.filters.os", message: "must be string or array", type: "string_type" }],
	[
		{ filters: { os: [] } },
		{ field: "body.filters.os", message: "must NOT have fewer than 1 items", type: "minItems" },
	],
	[
		{ filters: { city: "Rome" } },
		{
			field: "body.filters.city",
			message:
				"Not a filter; there are path, content_grouping, landing_page, referrer, referrer_domain, utm_source, utm_medium, utm_campaign, utm_term, utm_content, country, device_type, browser, os, channel, channel_group, conversion_type, hour, day_of_week, those of texts also with _not, _contains, _not_contains, _starts_with, _ends_with, _regex, _not_regex",
			type: "unknown",
		},
	],
];

test("a refusal says which values would do", async () => {
	for (const [body, expected] of told) {
		const { error } = (await post(body)).body;
		if (typeof expected === "string") assert.equal(error.message, expected);
		else assert.deepEqual(error.detail, [expected]);
	}
});

const optional =
	"granularity dimensions metrics filters order_by limit offset compare compare_start compare_align".split(" ");

test("null stands for a field that is left out", async () => {
	const { status, body: plain } = await post({});
	assert.deepEqual([status, plain.data[0].entrances], [200, 2]);
	assert.deepEqual((await post(Object.fromEntries(optional.map((name) => [name, null])))).body, plain);
	const within = { filters: { country: "ES", os: null }, order_by: [{ field: "entrances", direction: null }] };
	assert.equal((await post(within)).body.data[0].entrances, 1);
});
