import assert from "node:assert/strict";
import { test } from "node:test";
import { pageviewRow } from "../../../../test/support/event-rows.ts";
import { reportsOn } from "../../../../test/support/oracle-app.ts";

const site = { id: "shop", timezone: "UTC" };

const sale = (day: string, amount: number) =>
	pageviewRow({
		site: site.id,
		ts: Date.parse(`${day}T10:00:00Z`),
		kind: "conversion",
		page_view: 0,
		conversion: 1,
		amount,
		revenue: amount,
	});

const rows = [
	sale("2026-11-16", 1_000_000_000_000),
	sale("2026-11-17", 2_000_000_000),
	sale("2026-11-18", 200.0132),
	sale("2026-11-19", 1000.0801),
	// Earlier, on the way down again.
	sale("2026-11-10", -99_999_999_999_999),
	sale("2026-11-11", 99_999_999_999_999),
	sale("2026-11-12", 0.0001),
];
const here = reportsOn({ rows, sites: [site] });

const ask = (path: string) => here.get(`/stats/${path}&site_id=shop`);

const week = "start_date=2026-11-16&end_date=2026-11-19";

test("revenue is the same to the last of four decimals in every report, however large", async () => {
	const whole = 1_002_000_001_200.0933;
	for (const series of ["", "&granularity=daily", "&granularity=hourly", "&compare=previous"]) {
		const { data } = await ask(`overview?${week}${series}`);
		assert.equal(data.conversions.revenue, whole, series);
		if (series !== "") assert.equal(data.revenue_series.total, whole, series);
	}
	const { totals, data } = await ask(`sources?${week}&include_totals=true`);
	assert.deepEqual([totals.revenue, data[0].revenue], [whole, whole]);
	assert.equal((await ask(`devices?${week}`)).data.by_device[0].revenue, whole);
});

test("what large amounts leave when they cancel out is exact", async () => {
	const { data } = await ask("overview?start_date=2026-11-10&end_date=2026-11-12&granularity=daily");
	assert.deepEqual([data.conversions.revenue, data.revenue_series.total], [0.0001, 0.0001]);
});
