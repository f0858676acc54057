import assert from "node:assert/strict";
import { test } from "node:test";
import { openOracleStore, oracleApp } from "../../../../test/support/oracle-app.ts";

test("lists inside rows are whole, however many types of event a site has", { timeout: 30_000 }, async () => {
	const store = await openOracleStore();
	const app = await oracleApp(store, new Map([["shop", { id: "shop", timezone: "UTC" }]]));
	// 60 types with 120 sources each, the source s0 twice: more than are asked for beside a page.
	await store.command(`
		INSERT INTO events (site, date, ts, session, kind, event_type, utm_source, country, conversion)
		SELECT 'shop', '2026-11-20', toDateTime64('2026-11-20 10:00:00', 3, 'UTC'), number, 'conversion',
			't' || leftPad(toString(number % 60), 2, '0'), 's' || intDiv(number, 60) % 120, 'ES', 1
		FROM numbers(7260)`);
	const response = await app.inject({ url: "/stats/conversions?site_id=shop&period=7d&page_size=20&page=3" });
	assert.equal(response.statusCode, 200, response.body);
	const { data, total } = JSON.parse(response.body);
	assert.equal(total, 60);
	assert.deepEqual([data[0].conversion_type, data[19].conversion_type], ["t40", "t59"]);
	for (const row of data) {
		assert.equal(row.count, 121);
		assert.equal(row.by_source.length, 100);
		assert.deepEqual([row.by_source[0].utm_source, row.by_source[0].conversions], ["s0", 2]);
		assert.equal(row.by_country[0].conversions, 121);
	}
	await app.close();
	await store.close();
});
