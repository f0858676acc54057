import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { exportTypes } from "../../src/features/delivering/exports/export-types.ts";
import { days, type ExportSite, exportSite } from "../support/export-site.ts";
import { assertSnapshot, recordingStore } from "../support/sql-snapshots.ts";
import { testApp } from "../support/test-app.ts";

const filters = {
	utm_source: "google",
	country: "es",
	content_grouping: "a'b {c:String}",
	conversion_type: "order",
	advanced_filters: "path:contains:/shop,utm_medium:ne:cpc",
};

/** Each snapshot with the body of the stream whose SQL it holds: the number of rows, then the file. */
const requests: Readonly<Record<string, object>> = {
	...Object.fromEntries(
		exportTypes.map((export_type) => [`export-${export_type.replaceAll("_", "-")}`, { export_type }]),
	),
	"export-countries-json": { export_type: "countries", format: "json" },
	"export-conversions-json": { export_type: "conversions", format: "json" },
	"export-landing-pages-parquet": { export_type: "landing_pages", format: "parquet" },
	"export-conversions-parquet": { export_type: "conversions", format: "parquet" },
	"export-time-series-parquet": { export_type: "time_series", format: "parquet" },
	"export-pages-filters": { export_type: "pages", filters },
	"export-conversions-filters": { export_type: "conversions", filters },
};

let site: ExportSite;
let recorder: ReturnType<typeof recordingStore>;

before(async () => {
	const wrapEventStore = (store: Parameters<typeof recordingStore>[0]) => {
		recorder = recordingStore(store);
		return recorder.store;
	};
	site = await exportSite(await testApp({ wrapEventStore, env: { REPORT_CACHE_BYTES: "0" } }));
	// Enough rows that the engine finds a projection worth reading.
	await site.app.eventStore.command(`
		INSERT INTO events (site, date, hour, ts, session, kind, path, landing_path, utm_source, country, device, entrance, page_view)
		SELECT if(number % 2 = 0, 'shop', 'store'), toDate('2025-10-01') + number % 420, number % 24, now64(3), number,
			'pageview', '/p' || number % 20, '/p' || number % 10, 's' || number % 5, 'ES', 'mobile', number % 3 = 0, 1
		FROM numbers(200000)`);
	await site.app.eventStore.command("OPTIMIZE TABLE events FINAL");
});

after(() => site.app.close());

for (const [name, body] of Object.entries(requests)) {
	test(`the SQL of ${name} is the committed text`, { timeout: 30_000 }, async () => {
		recorder.taken();
		const payload = { ...days, ...body };
		const response = await site.call("POST /exports/stream", payload);
		assert.equal(response.statusCode, 200, response.body);
		const title = `POST /exports/stream ${JSON.stringify(payload)}`;
		await assertSnapshot(recorder.store, { name, title, queries: recorder.taken() });
	});
}
