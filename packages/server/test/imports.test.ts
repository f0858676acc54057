import assert from "node:assert/strict";
import { test } from "node:test";
import { UNKNOWN_HOUR } from "../src/analytics/model/event-columns.ts";
import type { EventRow } from "../src/analytics/model/event-row.ts";
import { pageviewRow } from "./support/event-rows.ts";
import { insertRows, reportsOn } from "./support/oracle-app.ts";

const day = "start_date=2026-11-20&end_date=2026-11-20";
/** Enough rows for a projection to be shorter than the table. */
const rows = Array.from({ length: 50_000 }, (_, n) =>
	pageviewRow({
		...{
			site: "shop",
			ts: Date.parse("2026-11-01T00:00:00Z"),
			date: `2026-11-${String(1 + (n % 20)).padStart(2, "0")}`,
		},
		...{ hour: n % 24, session: String((n + 1) * 131_072), path: "/p", content_group: "group", landing_path: "/p" },
		...{ landing_group: "group", utm_source: "google", event_type: "order", entrance: 1, device: "mobile" as const },
		...{ conversion: n % 10 === 0 ? 1 : 0, visit_seconds: 30 },
	}),
);
const here = reportsOn({ rows, sites: [{ id: "shop", timezone: "UTC" }] });

const imported: EventRow = {
	...pageviewRow({ ts: Date.parse("2026-11-20T00:00:00Z"), site: "shop", import_id: "import-1" }),
	...{ hour: UNKNOWN_HOUR, session: "0", path: "/old", content_group: "old", landing_path: "/old" },
	...{ landing_group: "old", utm_source: "bing", event_type: "lead", entrance: 100_000, engaged: 70_000 },
	...{ page_view: 1_234_567, conversion: 300, microconversion: 5, revenue: 5000.5 },
	...{ visit_seconds: 4_000_000_000, visitor: 90_000 },
};

async function answer(url: string) {
	const { timestamp, ...answered } = await here.get(`${url}&site_id=shop`);
	return answered;
}

const overviewOf = async (more = "") => (await answer(`/stats/overview?${day}${more}`)).data.traffic;

async function post(report: string, payload: object, more = "") {
	const response = await here.app.inject({ method: "POST", url: `/stats/${report}?site_id=shop${more}`, payload });
	assert.equal(response.statusCode, 200, response.body);
	return response.json().data;
}

test("sums of a day are counted whole: measures above a byte, visitors that have no ids, seconds beyond 32 bits", async () => {
	await insertRows(here.store, [imported, { ...imported, import_id: "import-2" }]);
	const nothing = { engaged_entrances: 0, microconversions: 0, conversions: 0, revenue: 0 };
	const rates = { bounce_rate: 100, pages_per_session: 1, visit_duration: 30 };
	const live = { entrances: 2500, page_views: 2500, visitors: 2500, ...nothing, ...rates };
	assert.deepEqual(await overviewOf("&imports=exclude"), live);
	assert.deepEqual(await overviewOf(), {
		entrances: 202_500,
		engaged_entrances: 140_000,
		page_views: 2_471_634,
		microconversions: 10,
		conversions: 600,
		revenue: 10_001,
		bounce_rate: 30.86,
		pages_per_session: 12.21,
		visitors: 182_500,
		visit_duration: 39_506.54,
	});
	await here.store.command("ALTER TABLE events DROP PARTITION (202611, 'import-2')");
});

test("rows imported by the day belong to no hour, and to their day", async () => {
	const of = { date_from: "2026-11-20", date_to: "2026-11-20", dimensions: ["hour"] };
	const body = { ...of, metrics: ["entrances"], order_by: [{ field: "hour" }] };
	assert.deepEqual(await post("query", { ...body, limit: 1 }), [{ hour: null, entrances: 100_000 }]);
	const known = await post("query", { ...body, filters: { hour: [...Array(24).keys()] } });
	assert.ok(known.every(({ hour }: { hour: number }) => hour >= 0 && hour < 24));
	assert.deepEqual(await post("query", body, "&imports=exclude"), known);
	const { points, total } = (await answer(`/stats/overview?${day}&granularity=hourly`)).data.entrances_series;
	const sum = points.reduce((so: number, { value }: { value: number }) => so + value, 0);
	assert.deepEqual([points.length, sum, total], [24, 2500, 102_500]);
});

test("imported sums are no single events: neither steps of a visit nor raw rows", async () => {
	assert.deepEqual((await answer(`/stats/conversions/raw?${day}`)).data, []);
	const { steps } = await post("funnel", { steps: ["/old", "/p"] }, `&${day}`);
	assert.equal(steps[0].count, 0);
});
