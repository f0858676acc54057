import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { UNKNOWN_HOUR } from "../src/analytics/model/event-columns.ts";
import type { EventRow } from "../src/analytics/model/event-row.ts";
import type { App } from "../src/platform/http/app.ts";
import { pageviewRow } from "./support/event-rows.ts";
import { insertRows, openOracleStore, oracleApp } from "./support/oracle-app.ts";
import { words } from "./support/words.ts";

const site = { id: "shop", timezone: "UTC" };
const day = "start_date=2026-11-20&end_date=2026-11-20";
const range = "start_date=2026-11-01&end_date=2026-11-21";

const reports = words(`
	/stats/overview?${range} /stats/overview?start_date=2026-11-12&end_date=2026-11-20&compare=previous
	/stats/overview?${day}&granularity=hourly /stats/overview?${range}&country=ES /stats/mediums?${range}
	/stats/sources?${range}&include_totals=true /stats/sources?${range}&include[]=visit_duration
	/stats/sources?${range}&include[]=visitors /stats/campaigns?${range} /stats/referrers?${range} /stats/channels?${range}
	/stats/terms?${range} /stats/contents?${range} /stats/microconversions?${range} /stats/geo/countries?${range}
	/stats/devices?${range} /stats/browsers?${range}&include[]=visit_duration /stats/pages?${range} /stats/pages/top?${range}
	/stats/pages/content-groups?${range} /stats/landing-pages?${range}&include[]=visit_duration /stats/funnel?${range}
	/stats/landing-pages/by-content-group?${range} /stats/landing-pages?${range}&include_utm=true
`);

const store = await openOracleStore();
let app: App;
before(async () => {
	app = await oracleApp(store, new Map([[site.id, site]]));
	// Enough rows for a projection to be shorter than the table.
	await store.command(
		`INSERT INTO events (site, date, hour, ts, session, kind, path, content_group, landing_path, landing_group, utm_source,
			country, device, event_type, entrance, page_view, conversion, visit_seconds)
		SELECT 'shop', toDate('2026-11-01') + number % 20, number % 24, toDateTime64('2026-11-01 00:00:00', 3), (number + 1) * 131072,
			'pageview', '/p', 'group', '/p', 'group', 'google', 'ES', 'mobile', 'order', 1, 1, number % 10 = 0, 30 FROM numbers(50000)`,
	);
});
after(async () => {
	await app.close();
	await store.close();
});

const imported: EventRow = {
	...pageviewRow({ ts: Date.parse("2026-11-20T00:00:00Z"), site: "shop", date: "2026-11-20", import_id: "import-1" }),
	hour: UNKNOWN_HOUR,
	session: "0",
	path: "/old",
	content_group: "old",
	landing_path: "/old",
	landing_group: "old",
	utm_source: "bing",
	event_type: "lead",
	entrance: 100_000,
	engaged: 70_000,
	page_view: 1_234_567,
	conversion: 300,
	microconversion: 5,
	revenue: 5000.5,
	visit_seconds: 4_000_000_000,
	visitor: 90_000,
};

async function answer(url: string): Promise<unknown> {
	const response = await app.inject({ url: `${url}&site_id=shop` });
	assert.equal(response.statusCode, 200, response.body);
	const { timestamp, ...answered } = response.json();
	return answered;
}

const answers = async (more = "") => {
	const entries = reports.map(async (url) => [url, await answer(url + more)] as const);
	return Object.fromEntries(await Promise.all(entries));
};

async function overviewOf(more = "") {
	const { data } = (await answer(`/stats/overview?${day}${more}`)) as { data: { traffic: object } };
	return data.traffic;
}

const query = async (body: object, more = "") => {
	const response = await app.inject({ method: "POST", url: `/stats/query?site_id=shop${more}`, payload: body });
	assert.equal(response.statusCode, 200, response.body);
	return response.json().data;
};

test("every report counts an import, leaves it out on demand, and is as before once its partitions are dropped", async () => {
	const alone = await answers();
	await insertRows(store, [imported]);
	const together = await answers();
	for (const url of reports.filter((one) => !one.includes("country=ES"))) {
		assert.notDeepEqual(together[url], alone[url], url);
	}
	assert.deepEqual(await answers("&imports=exclude"), alone);
	await store.command("ALTER TABLE events DROP PARTITION (202611, 'import-1')");
	assert.deepEqual(await answers(), alone);
});

test("sums of a day are counted whole: measures above a byte, visitors that have no ids, seconds beyond 32 bits", async () => {
	await insertRows(store, [imported, { ...imported, import_id: "import-2" }]);
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
	await store.command("ALTER TABLE events DROP PARTITION (202611, 'import-2')");
});

test("what was imported by the day belongs to no hour, and to its day", async () => {
	const of = { date_from: "2026-11-20", date_to: "2026-11-20" };
	const body = { ...of, metrics: ["entrances"], order_by: [{ field: "hour" }] };
	const hours = await query({ ...body, dimensions: ["hour"], limit: 1 });
	assert.deepEqual(hours, [{ hour: null, entrances: 100_000 }]);
	const known = await query({ ...body, dimensions: ["hour"], filters: { hour: [...Array(24).keys()] } });
	assert.ok(known.every(({ hour }: { hour: number }) => hour >= 0 && hour < 24));
	assert.deepEqual(await query({ ...body, dimensions: ["hour"] }, "&imports=exclude"), known);
	const { data } = (await answer(`/stats/overview?${day}&granularity=hourly`)) as {
		data: { entrances_series: { points: { value: number }[]; total: number } };
	};
	const { points, total } = data.entrances_series;
	assert.equal(points.length, 24);
	assert.equal(
		points.reduce((sum, { value }) => sum + value, 0),
		2500,
	);
	assert.equal(total, 102_500);
});

test("imported sums are no single events: neither steps of a visit nor raw rows", async () => {
	const raw = (await answer(`/stats/conversions/raw?${day}`)) as { data: unknown[] };
	assert.deepEqual(raw.data, []);
	const url = `/stats/funnel?${day}&site_id=shop`;
	const response = await app.inject({ method: "POST", url, payload: { steps: ["/old", "/p"] } });
	assert.equal(response.statusCode, 200, response.body);
	assert.equal(response.json().data.steps[0].count, 0);
});
