import assert from "node:assert/strict";
import { test } from "node:test";
import { comparedDays, daysOf } from "./range.ts";
import type { SiteSearch } from "./search.ts";

const search = (given: Partial<SiteSearch>): SiteSearch => ({
	period: "30d",
	compare: "previous",
	f: [],
	metric: "entrances",
	by: "auto",
	view: [],
	...given,
});
/** A Sunday. */
const today = "2026-11-22";
const days = (period: SiteSearch["period"], at = today) => {
	const { from, to } = daysOf(search({ period }), at);
	return `${from} ${to}`;
};

test("periods are the days that the server takes them for", () => {
	assert.equal(days("today"), "2026-11-22 2026-11-22");
	assert.equal(days("yesterday"), "2026-11-21 2026-11-21");
	assert.equal(days("7d"), "2026-11-16 2026-11-22");
	assert.equal(days("30d"), "2026-10-24 2026-11-22");
	assert.equal(days("12m"), "2025-11-23 2026-11-22");
	assert.equal(days("this_week"), "2026-11-16 2026-11-22");
	assert.equal(days("last_week"), "2026-11-09 2026-11-15");
	assert.equal(days("this_month"), "2026-11-01 2026-11-30");
	assert.equal(days("last_month"), "2026-10-01 2026-10-31");
	assert.equal(days("this_quarter"), "2026-10-01 2026-12-31");
	assert.equal(days("last_quarter"), "2026-07-01 2026-09-30");
	assert.equal(days("this_year"), "2026-01-01 2026-12-31");
	assert.equal(days("last_year"), "2025-01-01 2025-12-31");
	assert.equal(days("last_month", "2026-01-31"), "2025-12-01 2025-12-31");
	assert.equal(days("last_quarter", "2026-02-01"), "2025-10-01 2025-12-31");
});

test("a range is compared with as many days before, the year before, the same weekdays, or days of one's own", () => {
	const range = { from: "2024-02-29", to: "2024-03-01" };
	const compared = (given: Partial<SiteSearch>) => comparedDays(search(given), range);
	assert.deepEqual(compared({ compare: "previous" }), { from: "2024-02-27", to: "2024-02-28" });
	assert.deepEqual(compared({ compare: "yoy" }), { from: "2023-02-28", to: "2023-03-01" });
	assert.deepEqual(compared({ compare: "yoy_weekday" }), { from: "2023-03-02", to: "2023-03-03" });
	assert.deepEqual(compared({ compare: "custom", cfrom: "2023-01-01", cto: "2023-01-02" }), {
		from: "2023-01-01",
		to: "2023-01-02",
	});
	assert.equal(compared({ compare: "none" }), undefined);
});
