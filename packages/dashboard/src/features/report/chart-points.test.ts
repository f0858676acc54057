import assert from "node:assert/strict";
import test from "node:test";
import { chartData } from "./chart-points.ts";
import { type Overview, stepOf, totalBefore, totalOf } from "./figures.ts";

const sums = {
	entrances: 30,
	engaged_entrances: 12,
	page_views: 70,
	microconversions: 4,
	conversions: 3,
	revenue: 59.9,
	bounce_rate: 60,
	pages_per_session: 2.33,
	visitors: 28,
	visit_duration: 81.5,
};
const series = (points: readonly { date: string; hour?: number; value: number }[]) =>
	({ metric: "entrances", points, total: 30, average: 15 }) as const;
const conversions = {
	conversions: 3,
	revenue: 59.9,
	microconversions: 4,
	conversion_rate: 10,
	average_order_value: 19.97,
};
const overview = (
	[start_date, end_date]: readonly [string, string],
	points: readonly { date: string; hour?: number; value: number }[],
	before: readonly { date: string; hour?: number; value: number }[] = [],
): Overview => ({
	date_range: { start_date, end_date, days: 1 },
	traffic: sums,
	conversions,
	entrances_series: series(points),
	...(before.length > 0 && { entrances_series_compare: series(before) }),
});

test("what is yet to come is not drawn, and the day that runs is marked", () => {
	const month = overview(
		["2026-11-19", "2026-11-21"],
		[
			{ date: "2026-11-19", value: 20 },
			{ date: "2026-11-20", value: 10 },
			{ date: "2026-11-21", value: 0 },
		],
		[
			{ date: "2026-11-16", value: 18 },
			{ date: "2026-11-17", value: 9 },
			{ date: "2026-11-18", value: 0 },
		],
	);
	const drawn = chartData(month, { metric: "entrances", step: "daily" }, { today: "2026-11-20", hour: 14 });
	assert.deepEqual(
		drawn.points.map(({ now, before }) => [now, before?.value]),
		[
			[20, 18],
			[10, 9],
			[undefined, undefined],
		],
	);
	assert.equal(drawn.unfinished, 1);
});

test("a day by hours ends with the hour that runs; a day that is over is drawn whole", () => {
	const hours = [13, 14, 15].map((hour) => ({ date: "2026-11-20", hour, value: hour }));
	const day = overview(["2026-11-20", "2026-11-20"], hours);
	const asked = { metric: "entrances", step: "hourly" } as const;
	assert.deepEqual(
		chartData(day, asked, { today: "2026-11-20", hour: 14 }).points.map(({ now }) => now),
		[13, 14, undefined],
	);
	const over = chartData(day, asked, { today: "2026-11-21", hour: 2 });
	assert.deepEqual([over.points.at(-1)?.now, over.unfinished], [15, undefined]);
});

test("weeks and months end within the range", () => {
	const weeks = overview(
		["2026-10-29", "2026-11-10"],
		[
			{ date: "2026-10-29", value: 1 },
			{ date: "2026-11-02", value: 2 },
			{ date: "2026-11-09", value: 3 },
		],
	);
	const clock = { today: "2026-12-01", hour: 0 };
	const ends = (step: "weekly" | "monthly") =>
		chartData(weeks, { metric: "entrances", step }, clock).points.map(({ at }) => at.until);
	assert.deepEqual(ends("weekly"), ["2026-11-01", "2026-11-08", "2026-11-10"]);
	assert.deepEqual(ends("monthly"), ["2026-10-31", "2026-11-10", "2026-11-10"]);
});

test("tiles take their totals from where the API tells them", () => {
	const before = {
		...overview(["2026-11-20", "2026-11-20"], []),
		conversions_change: { ...conversions, conversion_rate: 8 },
	};
	assert.deepEqual([totalOf(before, "entrances"), totalOf(before, "conversion_rate")], [30, 10]);
	assert.deepEqual([totalBefore(before, "entrances"), totalBefore(before, "conversion_rate")], [undefined, 8]);
});

test("a step that makes no sense for the days gives way to one that does", () => {
	assert.equal(stepOf("auto", { from: "2026-11-20", to: "2026-11-20" }), "hourly");
	assert.equal(stepOf("auto", { from: "2026-08-23", to: "2026-11-20" }), "daily");
	assert.equal(stepOf("auto", { from: "2025-11-21", to: "2026-11-20" }), "weekly");
	assert.equal(stepOf("monthly", { from: "2026-11-14", to: "2026-11-20" }), "daily");
	assert.equal(stepOf("monthly", { from: "2025-11-21", to: "2026-11-20" }), "monthly");
});
