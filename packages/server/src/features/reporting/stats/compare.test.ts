import assert from "node:assert/strict";
import { test } from "node:test";
import { pageviewRow } from "../../../../test/support/event-rows.ts";
import { insertRows, reportsOn } from "../../../../test/support/oracle-app.ts";

const entrance = (day: string, path: string) =>
	pageviewRow({ site: "shop", ts: Date.parse(`${day}T12:00:00Z`), path, landing_path: path, entrance: 1 });

const rows = [
	entrance("2026-11-10", "/kept"),
	entrance("2026-06-01", "/summer"),
	entrance("2025-11-10", "/kept"),
	entrance("2025-11-05", "/gone"),
	entrance("2025-11-01", "/kept"),
];

const here = reportsOn({
	rows,
	sites: [
		{ id: "shop", timezone: "UTC" },
		{ id: "sold", timezone: "UTC" },
	],
});

interface Row {
	readonly landing_page: string;
	readonly entrances: number;
	readonly entrances_prev: number;
}

/** The rows as page, entrances and earlier entrances, the number of pages, and the earlier entrances of all of them. */
async function landingPages(query: string) {
	const { data, total, comparison, totals } = await here.get(`/stats/landing-pages?site_id=shop&${query}`);
	return {
		rows: data.map((row: Row) => [row.landing_page, row.entrances, row.entrances_prev]),
		total,
		earlier: comparison.entrances,
		...(totals && { today: totals.entrances }),
	};
}

const november = "start_date=2026-11-01&end_date=2026-11-21&compare=yoy";
const expected = { rows: [["/kept", 1, 2]], total: 1, earlier: 3 };

test("a group that only the earlier period has is in its totals alone, and what lies between the periods in none", async () => {
	assert.deepEqual(await landingPages(november), expected);
});

test("a page past the end still tells the earlier totals", async () => {
	for (const page of [2, 3, 9]) {
		assert.deepEqual(await landingPages(`${november}&page_size=1&page=${page}`), { ...expected, rows: [] });
	}
});

test("weekdays of the year before are 364 days earlier", async () => {
	const asked = (day: string) => landingPages(`start_date=${day}&end_date=${day}&compare=yoy_weekday`);
	assert.deepEqual(await asked("2026-11-09"), { rows: [], total: 0, earlier: 1 });
	assert.deepEqual(await asked("2026-11-10"), { rows: [["/kept", 1, 0]], total: 1, earlier: 0 });
});

test("baseline_start is the site's first day with data where the compared days begin before it, and else absent", async () => {
	const meta = async (url: string) => (await here.get(`/stats/${url}&site_id=shop`)).meta?.baseline_start;
	const whole = "start_date=2026-11-01&end_date=2026-11-21";
	for (const report of ["overview", "sources", "sources/top", "devices", "exit-pages", "pages/content-groups"]) {
		assert.equal(
			await meta(`${report}?${whole}&compare=custom&compare_start=2025-10-31&compare_end=2025-11-20`),
			"2025-11-01",
		);
		assert.equal(await meta(`${report}?${whole}&compare=yoy`), undefined);
		assert.equal(await meta(`${report}?${whole}`), undefined);
	}
});

test("pages of rows tell the number of earlier rows, and reports without a comparison say so", async () => {
	const sale = (day: string) => ({
		...pageviewRow({ site: "sold", ts: Date.parse(`${day}T12:00:00Z`), page_view: 0 }),
		...({ kind: "conversion", conversion: 1, event_type: "order", properties: { sku: day } } as const),
	});
	await insertRows(here.store, ["2026-11-18", "2026-11-19", "2026-11-20"].map(sale));
	const ask = (url: string) =>
		here.get(
			`${url}${url.includes("?") ? "&" : "?"}site_id=sold&start_date=2026-11-20&end_date=2026-11-21&compare=previous`,
		);
	const raw = await ask("/stats/conversions/raw");
	assert.deepEqual([raw.total, raw.comparison, raw.meta], [1, { total: 2 }, undefined]);
	for (const url of ["microconversions/raw", "conversion-items/raw"]) {
		assert.deepEqual((await ask(`/stats/${url}`)).comparison, { total: 0 });
	}
	assert.deepEqual((await ask("/stats/properties/values?property_key=sku")).comparison, { total: 2 });
	for (const url of [
		"properties/keys",
		"properties/breakdown?property_key=sku",
		"funnel",
		"microconversions/signup",
		"microconversions-types",
	]) {
		assert.deepEqual((await ask(`/stats/${url}`)).meta, { comparison: null }, url);
	}
});
