import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { exportedFile, plausibleArchive } from "../../../../../test/support/import-files.ts";
import { type ImportSite, importSite } from "../../../../../test/support/import-site.ts";
import { type TestApp, testApp } from "../../../../../test/support/test-app.ts";

let app: TestApp;
before(async () => {
	app = await testApp();
});
after(() => app.close());

const range = "start_date=2026-10-01&end_date=2026-10-03";

interface Row {
	readonly [name: string]: unknown;
}

/** The rows of a list by a column: their entrances and page views. */
async function rowsOf({ report }: ImportSite, list: string, column: string) {
	const { data } = (await report(`/stats/${list}?${range}`)) as { data: readonly Row[] };
	return Object.fromEntries(data.map((row) => [row[column], row.entrances ?? row.page_views]));
}

async function totalsOf({ report }: ImportSite) {
	const { data } = (await report(`/stats/overview?${range}`)) as { data: { traffic: Row } };
	const { entrances, engaged_entrances, page_views, conversions, revenue, microconversions } = data.traffic;
	return { entrances, engaged_entrances, page_views, conversions, revenue, microconversions };
}

const site = (name: string) => importSite(app, { email: `${name}@example.com`, name, timezone: "UTC" });

test("an exploration of GA4 is found in the reports: totals, days, sources, countries and devices", async () => {
	const shop = await site("analytics");
	const { status, report } = await shop.import(exportedFile("ga4-traffic-acquisition.csv"), { source: "ga4_csv" });
	assert.equal(status, "completed");
	const totals = { entrances: 1385, page_views: 3480, conversions: 19, revenue: 742.25, microconversions: 0 };
	assert.deepEqual(await totalsOf(shop), { ...totals, engaged_entrances: 753 });
	assert.deepEqual(report.totals, { ...totals, engaged_entrances: 753 });
	assert.deepEqual(report.by_day, [
		{ date: "2026-10-01", entrances: 1144, page_views: 2710 },
		{ date: "2026-10-02", entrances: 141, page_views: 570 },
		{ date: "2026-10-03", entrances: 100, page_views: 200 },
	]);
	assert.deepEqual(report.skip_reasons, [
		{ reason: "malformed", count: 2, sample_lines: [15, 16] },
		{ reason: "repeated", count: 2, sample_lines: [7, 8] },
		{ reason: "unknown_metric", count: 1, sample_lines: [7] },
	]);
	const sources = await rowsOf(shop, "sources", "utm_source");
	assert.equal(sources.google, 1024);
	assert.equal(sources["news.example.org"], 41);
	assert.deepEqual(await rowsOf(shop, "geo/countries", "country"), {
		ES: 1024,
		US: 120,
		TR: 100,
		FR: 100,
		Unknown: 41,
	});
});

test("an archive of Plausible has the totals of its visitors, and each breakdown that of its table", async () => {
	const shop = await site("plausible");
	const { status, report } = await shop.import(plausibleArchive(), { source: "plausible_zip" });
	assert.equal(status, "completed");
	assert.deepEqual(await totalsOf(shop), {
		entrances: 140,
		engaged_entrances: 90,
		page_views: 340,
		conversions: 0,
		revenue: 0,
		microconversions: 15,
	});
	assert.deepEqual(await rowsOf(shop, "geo/countries", "country"), { ES: 105, FR: 30, Unknown: 5 });
	const landings = await rowsOf(shop, "landing-pages", "landing_page");
	assert.deepEqual([landings["/"], landings["/shop"]], [110, 30]);
	const sources = await rowsOf(shop, "sources", "utm_source");
	assert.deepEqual([sources.google, sources["(direct)"], sources.newsletter], [100, 30, 10]);
	assert.match(String(report.warnings), /two dimensions at once are estimates/);
});

test("files of Umami and Matomo are found in the reports", async () => {
	const umami = await site("umami");
	await umami.import(exportedFile("umami-events.csv"), { source: "umami_csv" });
	const totals = { entrances: 4, engaged_entrances: 2, page_views: 6, conversions: 0, revenue: 0, microconversions: 1 };
	assert.deepEqual(await totalsOf(umami), totals);
	const matomo = await site("matomo");
	await matomo.import(exportedFile("matomo-visits-summary.csv"), { source: "matomo_csv" });
	const { entrances, page_views, engaged_entrances } = await totalsOf(matomo);
	assert.deepEqual([entrances, engaged_entrances, page_views], [215, 117, 780]);
});

test("a file that is none of its source is refused by its field", async () => {
	const shop = await site("refused");
	const wrong = await shop.upload("a,b\n1,2\n", { source: "ga4_csv" }, "wrong.csv");
	assert.equal(wrong.statusCode, 422, wrong.body);
	assert.equal(wrong.json().error.detail[0].field, "body.file");
	const map = await shop.upload("Tag,Besuche\n20261001,1\n", { source: "ga4_csv", column_map: '{"Tag":"day"}' });
	assert.equal(map.json().error.detail[0].field, "body.column_map");
	const zip = await shop.upload("date,visits\n", { source: "plausible_zip" });
	assert.match(zip.json().error.detail[0].message, /zip/);
});
