import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { botsLeftOut } from "./bots-left-out.ts";
import { chartData } from "./chart-points.ts";
import { type Overview, stepOf, totalBefore, totalOf } from "./figures.ts";
import { choiceParameters, choose, readList } from "./list-answer.ts";
import { type Column, listKeys, listOf, lists } from "./lists.ts";
import { minutesOfDay } from "./minutes-of-day.ts";

const rates = { conversion_rate: 10, average_order_value: 19.97 };
const sums = { entrances: 30, engaged_entrances: 12, page_views: 70, visitors: 28, visit_duration: 81.5 };
const goals = { microconversions: 4, conversions: 3, revenue: 59.9 };
type Point = { readonly date: string; readonly hour?: number; readonly value: number };
const series = (points: readonly Point[]) => ({ metric: "entrances", points, total: 30, average: 15 }) as const;
/** The points of days, each with its value. */
const valued = (days: Readonly<Record<string, number>>) =>
	Object.entries(days).map(([date, value]) => ({ date, value }));
const overview = (
	[start_date, end_date]: readonly [string, string],
	points: readonly Point[],
	before: readonly Point[] = [],
): Overview => ({
	date_range: { start_date, end_date, days: 1 },
	traffic: { ...sums, ...goals, bounce_rate: 60, pages_per_session: 2.33 },
	conversions: { ...goals, ...rates },
	entrances_series: series(points),
	...(before.length > 0 && { entrances_series_compare: series(before) }),
});
const daily = { metric: "entrances", step: "daily" } as const;

test("future days are not drawn, and the current day is marked", () => {
	const month = overview(
		["2026-11-19", "2026-11-21"],
		valued({ "2026-11-19": 20, "2026-11-20": 10, "2026-11-21": 0 }),
		valued({ "2026-11-16": 18, "2026-11-17": 9, "2026-11-18": 0 }),
	);
	const { points, unfinished } = chartData(month, daily, { today: "2026-11-20", hour: 14 });
	const found = points.map(({ now, before }) => [now, before?.value]);
	assert.deepEqual(found, [
		[20, 18],
		[10, 9],
		[undefined, undefined],
	]);
	assert.equal(unfinished, 1);
});

test("a day by hours ends with the hour that runs; a day that is over is drawn whole", () => {
	const hours = [13, 14, 15].map((hour) => ({ date: "2026-11-20", hour, value: hour }));
	const drawn = (today: string, hour: number) => {
		const day = overview(["2026-11-20", "2026-11-20"], hours);
		const { points, unfinished } = chartData(day, { ...daily, step: "hourly" }, { today, hour });
		return [points.map(({ now }) => now), unfinished];
	};
	assert.deepEqual(drawn("2026-11-20", 14), [[13, 14, undefined], 1]);
	assert.deepEqual(drawn("2026-11-21", 2), [[13, 14, 15], undefined]);
});

test("weeks and months end within the range", () => {
	const days = valued({ "2026-10-29": 1, "2026-11-02": 2, "2026-11-09": 3 });
	const ends = (step: "weekly" | "monthly") =>
		chartData(
			overview(["2026-10-29", "2026-11-10"], days),
			{ ...daily, step },
			{ today: "2026-12-01", hour: 0 },
		).points.map(({ at }) => at.until);
	assert.deepEqual(ends("weekly"), ["2026-11-01", "2026-11-08", "2026-11-10"]);
	assert.deepEqual(ends("monthly"), ["2026-10-31", "2026-11-10", "2026-11-10"]);
});

test("tiles take their totals from where the API tells them", () => {
	const conversions_change = { ...goals, ...rates, conversion_rate: 8 };
	const told = { ...overview(["2026-11-20", "2026-11-20"], []), conversions_change };
	assert.deepEqual([totalOf(told, "entrances"), totalOf(told, "conversion_rate")], [30, 10]);
	assert.deepEqual([totalBefore(told, "entrances"), totalBefore(told, "conversion_rate")], [undefined, 8]);
});

test("a step that makes no sense for the days gives way to one that does", () => {
	for (const [asked, from, to, step] of [
		["auto", "2026-11-20", "2026-11-20", "hourly"],
		["auto", "2026-08-23", "2026-11-20", "daily"],
		["auto", "2025-11-21", "2026-11-20", "weekly"],
		["monthly", "2026-11-14", "2026-11-20", "daily"],
		["monthly", "2025-11-21", "2026-11-20", "monthly"],
	] as const)
		assert.equal(stepOf(asked, { from, to }), step);
});

test("hits above the threshold are left out; a threshold inside a range of scores, or no hits, tell no share", () => {
	const hits = { score_0: 85, score_1_30: 5, score_31_60: 4, score_61_80: 3, score_81_100: 3, total_hits: 100 };
	const found = [0, 30, 60, 80, 100, 75].map((threshold) => botsLeftOut(hits, threshold));
	assert.deepEqual(found, [15, 10, 6, 3, 0, undefined]);
	assert.equal(botsLeftOut({ ...hits, total_hits: 0 }, 80), undefined);
});

test("the day begins at midnight of the site's time zone", () => {
	assert.equal(minutesOfDay("Europe/Madrid", new Date("2026-11-22T00:10:00Z")), 70);
	assert.equal(minutesOfDay("America/New_York", new Date("2026-11-22T05:00:30Z")), 1);
});

interface Schema {
	readonly $ref?: string;
	readonly properties?: Readonly<Record<string, Schema>>;
	readonly items?: Schema;
}
const api = JSON.parse(readFileSync(new URL("../../../../../docs/openapi.json", import.meta.url), "utf8"));

/** The shape that a reference stands for. */
const shape = (schema: Schema | undefined): Schema =>
	schema?.$ref === undefined ? (schema ?? {}) : shape(api.components.schemas[schema.$ref.split("/").at(-1) ?? ""]);

test("the API tells, orders and searches what each list shows; an address names a list or none", () => {
	for (const key of listKeys) {
		const list = lists[key];
		const operation = api.paths[list.route.replace("GET ", "/api/v1")]?.get;
		assert.ok(operation, key);
		const parameter = (name: string) =>
			operation.parameters.find((one: { readonly name: string }) => one.name === name)?.schema;
		const answer = shape(operation.responses[200].content["application/json"].schema);
		const row = Object.keys(shape(shape(answer.properties?.["data"]).items).properties ?? {});
		for (const column of [list.value, ...list.columns]) assert.ok(row.includes(column), `${key}: ${column}`);
		if (list.largest !== undefined) {
			assert.equal(parameter("page_size")?.maximum, list.largest, key);
			for (const sort of list.sorts) assert.ok(parameter("sort_by")?.enum?.includes(sort), `${key}: ${sort}`);
		}
		if (list.search !== undefined) assert.ok(parameter(list.search), key);
		assert.equal(list.hasTotals ?? false, parameter("include_totals") !== undefined, key);
		assert.equal(list.hasVisitors ?? false, row.includes("visitors"), key);
	}
	assert.deepEqual(["sources", "toString", undefined].map(listOf), [lists.sources, undefined, undefined]);
});

const all = { sort: "page_views" as Column, isRising: false, search: "", page: 1, size: 2 };

test("a list without pages of its own is ordered, searched and cut here", () => {
	const list = lists["content-groups"];
	const groups = [
		{ content_grouping: "shop", page_views: 5, entrances: 2, unique_pages: 1 },
		{ content_grouping: "blog", page_views: 9, entrances: 1, unique_pages: 3 },
		{ content_grouping: "", page_views: 7, entrances: 4, unique_pages: 2 },
	];
	assert.deepEqual(choiceParameters(list, all), {});
	const chosen = (choice: Partial<typeof all>) => {
		const answer = choose(list, readList(list, groups), { ...all, ...choice }, (value) => value || "No group");
		return [answer.rows.map(({ value }) => value), answer.total];
	};
	assert.deepEqual(chosen({}), [["blog", ""], 3]);
	assert.deepEqual(chosen({ page: 2 }), [["shop"], 3]);
	assert.deepEqual(chosen({ sort: "entrances", isRising: true }), [["blog", "shop"], 3]);
	assert.deepEqual(chosen({ search: "GROUP" }), [[""], 1]);
});

test("a list with pages is ordered, searched and cut by the server", () => {
	assert.deepEqual(choiceParameters(lists.pages, { ...all, search: "/docs", page: 3, isRising: true }), {
		...{ sort_by: "page_views", sort_order: "asc" },
		...{ page: 3, page_size: 2, path_filter: "/docs", include_content_group: false },
	});
	assert.deepEqual(choiceParameters(lists.browsers, { ...all, search: "fire", page: 3 }), {
		...{ sort_by: "page_views", sort_order: "desc", page_size: 100 },
	});
});
