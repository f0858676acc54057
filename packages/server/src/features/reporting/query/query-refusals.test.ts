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

const many = "country utm_source utm_medium utm_campaign utm_term utm_content device_type browser".split(" ");

const refused: readonly (readonly [object, number, string?])[] = [
	[{ date_from: "2026-11-22" }, 400],
	[{ date_from: "2024-11-20" }, 400],
	[{ dimensions: ["city"] }, 400],
	[{ dimensions: ["source"] }, 400],
	[{ dimensions: ["landing_content_grouping"] }, 400],
	[{ dimensions: ["toString"] }, 400],
	[{ dimensions: ["country", "country"] }, 400],
	[{ dimensions: [...many, "os", "hour", "date"] }, 400],
	[{ metrics: ["sessions"] }, 400],
	[{ metrics: ["bounce_rate"] }, 400],
	[{ compare: "last" }, 400],
	[{ compare: "" }, 400],
	[{ date_from: undefined }, 422, "body.date_from"],
	[{ date_to: undefined }, 422, "body.date_to"],
	[{ date_to: "2026-02-30" }, 422, "body.date_to"],
	[{ date_to: "21.11.2026" }, 422, "body.date_to"],
	[{ granularity: "weekly" }, 422, "body.granularity"],
	[{ dimensions: ["country", "Source"] }, 422, "body.dimensions.1"],
	[{ dimensions: ["Country"] }, 422, "body.dimensions.0"],
	[{ dimensions: "country" }, 422, "body.dimensions"],
	[{ metrics: [1] }, 422, "body.metrics.0"],
	[{ order_by: [{ field: "country" }] }, 422, "body.order_by.0.field"],
	[{ metrics: ["entrances"], order_by: [{ field: "bounce_rate" }] }, 422, "body.order_by.0.field"],
	[{ order_by: [{ field: "entrances", direction: "up" }] }, 422, "body.order_by.0.direction"],
	[{ order_by: [{}] }, 422, "body.order_by.0.field"],
	[{ filters: { city: "Rome" } }, 422, "body.filters.city"],
	[{ filters: { hour_not: 8 } }, 422, "body.filters.hour_not"],
	[{ filters: { day_of_week_not: [6] } }, 422, "body.filters.day_of_week_not"],
	[{ filters: { hour_contains: "1" } }, 422, "body.filters.hour_contains"],
	[{ filters: { path_like: "/a" } }, 422, "body.filters.path_like"],
	[{ filters: { path_contains: ["/a"] } }, 422, "body.filters.path_contains"],
	[{ filters: { path_regex: "(" } }, 422, "body.filters.path_regex"],
	[{ dimensions: ["conversion_type"], metrics: ["revenue", "entrances"] }, 422, "body.metrics.1"],
	[{ dimensions: ["conversion_type"], metrics: ["visitors"] }, 422, "body.metrics.0"],
	[{ dimensions: ["path"], metrics: ["visit_duration"] }, 422, "body.metrics.0"],
	[{ dimensions: ["content_grouping"], metrics: ["visit_duration"] }, 422, "body.metrics.0"],
	[{ compare: "yoy", compare_rows: "separate" }, 422, "body.compare_rows"],
	[{ compare_rows: "joined" }, 422, "body.compare_rows"],
	[{ compare: "yoy", compare_rows: "joined", granularity: "daily" }, 422, "body.compare_rows"],
	[{ compare: "yoy", compare_rows: "joined", dimensions: ["date"] }, 422, "body.compare_rows"],
	[{ filters: { country: "Spain" } }, 422, "body.filters.country"],
	[{ filters: { country_not: ["ES", ""] } }, 422, "body.filters.country_not"],
	[{ filters: { device_type: "watch" } }, 422, "body.filters.device_type"],
	[{ filters: { os: 1 } }, 422, "body.filters.os"],
	[{ filters: { os: [] } }, 422, "body.filters.os"],
	[{ filters: { utm_source: "x".repeat(40_000) } }, 422, "body.filters"],
	[{ filters: { hour: 24 } }, 422, "body.filters.hour"],
	[{ filters: { hour: "9" } }, 422, "body.filters.hour"],
	[{ filters: { day_of_week: [0] } }, 422, "body.filters.day_of_week"],
	[{ limit: 0 }, 422, "body.limit"],
	[{ limit: 10_001 }, 422, "body.limit"],
	[{ limit: "5" }, 422, "body.limit"],
	[{ offset: -1 }, 422, "body.offset"],
	[{ offset: 1e300 }, 422, "body.offset"],
	[{ compare: 1 }, 422, "body.compare"],
	[{ compare_align: "whole" }, 422, "body.compare_align"],
	[{ compare: "custom" }, 422, "body.compare_start"],
	[{ compare: "custom", compare_start: "2026-11-01" }, 422, "body.compare_end"],
	[{ compare: "custom", compare_start: "2026-11-02", compare_end: "2026-11-01" }, 422, "body.compare_end"],
	[{ compare: "yoy", compare_start: "2026-11-01" }, 422, "body.compare_start"],
	[{ compare_end: "2026-11-01" }, 422, "body.compare_end"],
];

test("a query and its export with a fault are refused, on the field where there is one", async () => {
	for (const [body, status, field] of refused) {
		for (const path of ["/stats/query", "/stats/query/export"] as const) {
			if (path.endsWith("export") && "limit" in body && body.limit === 10_001) continue;
			const { error } = (await post({ ...days, ...body }, { path })).body;
			const asked = JSON.stringify(body).slice(0, 200);
			assert.equal(error?.code, status === 400 ? "bad_request" : "validation_error", asked);
			assert.ok(field === undefined || error.detail[0].field.startsWith(field), asked);
		}
	}
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
		const { error } = (await post({ ...days, ...body })).body;
		if (typeof expected === "string") assert.equal(error.message, expected);
		else assert.deepEqual(error.detail, [expected]);
	}
});

const optional =
	"granularity dimensions metrics filters order_by limit offset compare compare_start compare_align".split(" ");

test("null stands for a field that is left out, and for no other", async () => {
	const nulls = Object.fromEntries(optional.map((name) => [name, null]));
	const plain = await post(days);
	assert.deepEqual((await post({ ...days, ...nulls })).body, plain.body);
	assert.deepEqual([plain.status, plain.body.data[0].entrances], [200, 2]);
	const within = { filters: { country: "ES", os: null }, order_by: [{ field: "entrances", direction: null }] };
	assert.deepEqual((await post({ ...days, ...within })).body.data[0].entrances, 1);
	for (const [field, body] of [
		["body.date_from", { date_from: null }],
		["body.order_by.0.field", { order_by: [{ field: null }] }],
		["body.filters.country.0", { filters: { country: [null] } }],
	] as const) {
		const { status, body: answer } = await post({ ...days, ...body });
		assert.deepEqual([status, answer.error.detail[0].field], [422, field]);
	}
});
