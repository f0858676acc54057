import assert from "node:assert/strict";
import { test } from "node:test";
import { pageviewRow } from "../../../../test/support/event-rows.ts";
import { reportsOn } from "../../../../test/support/oracle-app.ts";
import type { EventRow } from "../../../analytics/model/event-row.ts";

const site = { id: "shop", timezone: "UTC" };
let visits = 0;

/** Some visits on a day of November. */
function arrivals(count: number, day: string, own: Partial<EventRow>): EventRow[] {
	return Array.from({ length: count }, () => {
		visits += 1;
		const session = String(BigInt(visits) * 131_072n);
		return pageviewRow({ site: site.id, ts: Date.parse(`2026-11-${day}T09:00:00Z`), session, entrance: 1, ...own });
	});
}

const sale = (day: string, revenue: number, own: Partial<EventRow>) => {
	const what = { kind: "conversion", entrance: 0, page_view: 0, conversion: 1, event_type: "order" } as const;
	return arrivals(1, day, { ...what, revenue, ...own });
};

const rows = [
	// The day before: google 4, newsletter 3, the link 1. The day itself: google 9, the newsletter is gone, a new partner.
	...arrivals(4, "19", { utm_source: "google", country: "ES" }),
	...arrivals(3, "19", { utm_source: "newsletter", country: "ES" }),
	...arrivals(1, "19", { utm_source: "link", country: "PT" }),
	...arrivals(9, "20", { utm_source: "google", country: "ES" }),
	...arrivals(2, "20", { utm_source: "partner", country: "PT" }),
	...arrivals(1, "20", { utm_source: "link", country: "PT" }),
	...sale("19", 0.1, { country: "ES" }),
	...sale("20", 0.3, { country: "PT" }),
	...sale("20", 0.1, { country: "ES" }),
	// A month before, twelve sources of their own: beyond ten.
	...Array.from({ length: 12 }, (_, index) => arrivals(index + 1, "01", { utm_source: `s${index}` })).flat(),
];

const here = reportsOn({ rows, sites: [site] });

async function post(body: object, query = "") {
	return here.app.inject({ method: "POST", url: `/stats/explain?site_id=shop&${query}`, payload: body });
}

const friday = { metric: "entrances", date_from: "2026-11-20", date_to: "2026-11-20", compare: "previous" };

async function explain(body: object, query = "") {
	const response = await post({ ...friday, ...body }, query);
	assert.equal(response.statusCode, 200, response.body);
	return response.json().data;
}

test("a change is told by value, largest first, with those that appeared and those that vanished", async () => {
	const { total, dimensions } = await explain({ dimensions: ["utm_source"] });
	assert.deepEqual(total, { now: 12, before: 8, change: 4 });
	assert.deepEqual(dimensions, [
		{
			name: "utm_source",
			explained: 100,
			rows: [
				{ value: "google", now: 9, before: 4, change: 5, share: 125 },
				{ value: "newsletter", now: 0, before: 3, change: -3, share: -75 },
				{ value: "partner", now: 2, before: 0, change: 2, share: 50 },
				{ value: "link", now: 1, before: 1, change: 0, share: 0 },
			],
		},
	]);
});

test("without dimensions the thirteen usual ones explain a change, in their order", async () => {
	const { dimensions } = await explain({});
	assert.deepEqual(
		dimensions.map(({ name }: { name: string }) => name),
		[
			..."channel_group utm_source utm_medium utm_campaign utm_term utm_content referrer_domain".split(" "),
			..."landing_page content_grouping country device_type browser os".split(" "),
		],
	);
	const country = dimensions.find(({ name }: { name: string }) => name === "country");
	assert.deepEqual(country.rows, [
		{ value: "ES", now: 9, before: 7, change: 2, share: 50 },
		{ value: "PT", now: 3, before: 1, change: 2, share: 50 },
	]);
});

test("money is exact, and the type of an event explains where it is named", async () => {
	const { total, dimensions } = await explain({ metric: "revenue", dimensions: ["conversion_type", "country"] });
	assert.deepEqual(total, { now: 0.4, before: 0.1, change: 0.3 });
	assert.deepEqual(dimensions, [
		{
			name: "conversion_type",
			explained: 100,
			rows: [{ value: "order", now: 0.4, before: 0.1, change: 0.3, share: 100 }],
		},
		{
			name: "country",
			explained: 100,
			rows: [
				{ value: "PT", now: 0.3, before: 0, change: 0.3, share: 100 },
				{ value: "ES", now: 0.1, before: 0.1, change: 0, share: 0 },
			],
		},
	]);
});

test("ten rows are told of each dimension, and how much of all movement they are", async () => {
	const days = { date_from: "2026-11-01", date_to: "2026-11-01" };
	const { total, dimensions } = await explain({ ...days, dimensions: ["utm_source", "path"] });
	assert.deepEqual(total, { now: 78, before: 0, change: 78 });
	const [sources, paths] = dimensions;
	assert.equal(sources.rows.length, 10);
	assert.deepEqual([sources.rows[0].value, sources.rows[9].value], ["s11", "s2"]);
	// 78 less 1 and 2.
	assert.deepEqual([sources.explained, paths.explained], [96.15, 100]);
});

test("where nothing happened there are no rows, and nothing is explained", async () => {
	const days = { date_from: "2026-10-01", date_to: "2026-10-01", dimensions: ["country"] };
	assert.deepEqual(await explain(days), {
		total: { now: 0, before: 0, change: 0 },
		dimensions: [{ name: "country", explained: 0, rows: [] }],
	});
});

test("days to compare with need no word, and visitors of days that are in both ranges count in both", async () => {
	const days = {
		date_from: "2026-11-19",
		date_to: "2026-11-20",
		compare_start: "2026-11-18",
		compare_end: "2026-11-19",
	};
	const { total } = await explain({ ...days, metric: "visitors", compare: undefined, dimensions: ["os"] });
	assert.deepEqual(total, { now: 20, before: 8, change: 12 });
});

test("a change is explained among the rows that filters and the query string leave", async () => {
	const { total, dimensions } = await explain(
		{ dimensions: ["utm_source"], filters: { country: "pt", utm_source_not: ["link"] } },
		"imports=exclude",
	);
	assert.deepEqual(total, { now: 2, before: 0, change: 2 });
	assert.deepEqual(dimensions[0].rows, [{ value: "partner", now: 2, before: 0, change: 2, share: 100 }]);
});

test("a running day is explained against the same hours", async () => {
	const today = { date_from: "2026-11-21", date_to: "2026-11-21", compare_align: "elapsed", dimensions: ["country"] };
	assert.deepEqual((await explain(today)).total, { now: 0, before: 12, change: -12 });
});

test("questions that cannot be explained are refused where they are wrong", async () => {
	const wrong: [object, number, string?][] = [
		[{ metric: "bounce_rate" }, 422, "body.metric"],
		[{ metric: undefined }, 422, "body.metric"],
		[{ compare: undefined }, 422, "body.compare"],
		[{ compare: "weekly" }, 422, "body.compare"],
		[{ compare_start: "2026-11-01" }, 422, "body.compare_start"],
		[{ compare: undefined, compare_start: "2026-11-01" }, 422, "body.compare_end"],
		[{ dimensions: ["date"] }, 422, "body.dimensions.0"],
		[{ dimensions: ["os", "os"] }, 422, "body.dimensions"],
		[{ dimensions: [] }, 422, "body.dimensions"],
		[{ filters: { colour: "red" } }, 422, "body.filters.colour"],
		[{ date_to: "2026-11-01" }, 400],
	];
	for (const [body, status, field] of wrong) {
		const response = await post({ ...friday, ...body });
		assert.equal(response.statusCode, status, JSON.stringify(body));
		assert.equal(response.json().error.detail?.[0]?.field, field, JSON.stringify(body));
	}
});
