import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { App } from "../../src/platform/http/app.ts";
import { openOracleStore, oracleApp } from "../support/oracle-app.ts";
import { assertSnapshot, recordingStore } from "../support/sql-snapshots.ts";

const site = { id: "shop", timezone: "Europe/Madrid" };
const days = { date_from: "2026-10-22", date_to: "2026-11-20" };

/** Each snapshot with the path and body of the request whose SQL it holds. */
const requests: Readonly<Record<string, readonly [string, object]>> = {
	"query-total": ["/stats/query", days],
	"query-hourly-compare": [
		"/stats/query",
		{ ...days, granularity: "hourly", dimensions: ["day_of_week", "country"], metrics: ["page_views"], compare: "yoy" },
	],
	"query-filters-order": [
		"/stats/query",
		{
			...days,
			dimensions: ["utm_source", "channel_group"],
			metrics: ["entrances", "engaged_entrances", "revenue"],
			filters: {
				country: ["es", "Unknown"],
				device_type_not: "Tablet",
				channel_group: "",
				utm_source_not: ["a'b", "{c:String}"],
				hour: [9, 10],
				day_of_week: 7,
			},
			order_by: [{ field: "bounce_rate" }, { field: "channel_group", direction: "asc" }],
			limit: 20,
			offset: 40,
		},
	],
	"query-pages-filters": [
		"/stats/query",
		{
			...days,
			dimensions: ["path", "referrer_domain"],
			metrics: ["page_views"],
			filters: {
				path_starts_with: "/p",
				content_grouping_not: "draft",
				conversion_type: ["signup", "lead"],
				hour: [4, 5],
			},
		},
	],
	"query-landing-compare-joined": [
		"/stats/query",
		{ ...days, dimensions: ["landing_page"], filters: { path: "/p1" }, compare: "previous", compare_rows: "joined" },
	],
	"query-types": ["/stats/query", { ...days, dimensions: ["conversion_type"] }],
	"query-export-joined": [
		"/stats/query/export",
		{ ...days, dimensions: ["utm_source"], metrics: ["entrances"], compare: "yoy", compare_rows: "joined" },
	],
	"explain-change": [
		"/stats/explain",
		{ ...days, metric: "revenue", compare: "yoy", filters: { country: ["es"] }, dimensions: ["utm_source", "path"] },
	],
	"explain-visitors": ["/stats/explain", { ...days, metric: "visitors", compare: "previous" }],
	"query-export": ["/stats/query/export", { ...days, granularity: "daily", dimensions: ["os"], limit: 100_000 }],
};

let recorder: ReturnType<typeof recordingStore> | undefined;
let app: App | undefined;

before(async () => {
	recorder = recordingStore(await openOracleStore());
	app = await oracleApp(recorder.store, new Map([[site.id, site]]));
});

after(async () => {
	await app?.close();
	await recorder?.store.close();
});

for (const [name, [path, payload]] of Object.entries(requests)) {
	test(`the SQL of ${name} is the committed text`, async () => {
		assert.ok(app && recorder);
		recorder.taken();
		const response = await app.inject({ method: "POST", url: `${path}?site_id=${site.id}`, payload });
		assert.equal(response.statusCode, 200, response.body);
		const title = `POST ${path} ${JSON.stringify(payload)}`;
		await assertSnapshot(recorder.store, { name, title, queries: recorder.taken() });
	});
}
