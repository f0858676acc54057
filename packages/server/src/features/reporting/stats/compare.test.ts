import assert from "node:assert/strict";
import { test } from "node:test";
import { pageviewRow } from "../../../../test/support/event-rows.ts";
import { reportsOn } from "../../../../test/support/oracle-app.ts";

/** The clock of these tests shows 12:30 on Saturday, 21 November 2026, in Madrid. */
const entrance = ([date, hour]: readonly [string, number]) =>
	pageviewRow({ site: "shop", ts: Date.parse(`${date}T12:00:00Z`), date, hour, entrance: 1 });

const entrances: readonly (readonly [string, number])[] = [
	["2026-11-21", 9],
	["2026-11-20", 11],
	["2026-11-20", 12],
	["2026-11-20", 23],
	["2026-11-14", 11],
	["2026-11-14", 12],
	["2026-11-15", 1],
	["2025-11-21", 0],
	["2025-11-21", 12],
	["2025-11-22", 11],
	["2025-11-22", 13],
];

const here = reportsOn({ rows: entrances.map(entrance), sites: [{ id: "shop", timezone: "Europe/Madrid" }] });

const ask = (path: string, query: string) => here.get(`/stats/${path}?site_id=shop&${query}`);

/** The earlier entrances of the overview and of a list, which must be the same. */
async function earlier(query: string): Promise<number> {
	const { data } = await ask("overview", query);
	const { comparison } = await ask("landing-pages", query);
	assert.equal(comparison.entrances, data.traffic_change.entrances, query);
	return comparison.entrances;
}

const elapsed: readonly (readonly [string, number, number])[] = [
	["period=today&compare=previous", 1, 3],
	["period=today&compare=yoy", 1, 2],
	["period=today&compare=yoy_weekday", 1, 2],
	["period=today&compare=custom&compare_start=2026-11-14&compare_end=2026-11-14", 1, 2],
	// The week runs until Sunday: the day that corresponds to today is the Saturday before.
	["period=this_week&compare=previous", 1, 3],
	["period=this_week&compare=custom&compare_start=2026-11-09&compare_end=2026-11-15", 1, 3],
	// Nothing corresponds to today in a range of another length, and a range of the past does not run.
	["period=today&compare=custom&compare_start=2026-11-14&compare_end=2026-11-15", 3, 3],
	["start_date=2026-11-20&end_date=2026-11-20&compare=custom&compare_start=2026-11-14&compare_end=2026-11-14", 2, 2],
	["start_date=2026-11-21&end_date=2026-11-22&compare=yoy", 1, 4],
];

test("aligned by what has passed, a comparison counts the part of the earlier days that corresponds", async () => {
	for (const [index, [query, cut, whole]] of elapsed.entries()) {
		// Under a condition figures are made of rows in one statement, without one of days that are held ready.
		const asked = index % 2 === 0 ? query : `${query}&country=ES`;
		assert.deepEqual([await earlier(`${asked}&compare_align=elapsed`), await earlier(asked)], [cut, whole], asked);
	}
});

test("the hours of a day that runs are compared with those before its hour", async () => {
	const { data } = await ask("overview", "period=today&compare=previous&compare_align=elapsed");
	const points: readonly { readonly value: number }[] = data.entrances_series_compare.points;
	assert.deepEqual([points.length, points[11]?.value, points[12]?.value, points[23]?.value], [24, 1, 0, 0]);
});
