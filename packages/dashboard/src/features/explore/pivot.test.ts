import assert from "node:assert/strict";
import { test } from "node:test";
import { amountOf, earlierOf, meaningful, metricsOf } from "./figures.ts";
import { keyOf, readPivot, treeOf, writePivot } from "./pivot.ts";

test("a pivot stands in the address; what it cannot be is left out", () => {
	const view = ["row:utm_source", "row:utm_medium", "col:device_type", "fig:entrances", "fig:revenue", "as:bars"];
	const pivot = readPivot(view);
	assert.deepEqual(pivot, {
		rows: ["utm_source", "utm_medium"],
		columns: ["device_type"],
		figures: ["entrances", "revenue"],
		look: "bars",
	});
	assert.deepEqual(writePivot(pivot), view);
	const odd = readPivot(["row:country", "row:nonsense", "row:country", "col:country", "fig:luck", "as:cake"]);
	assert.deepEqual(odd, { rows: ["country"], columns: [], figures: ["entrances"], look: "table" });
	assert.deepEqual(readPivot([]).rows, ["utm_source"]);
	assert.deepEqual(readPivot(["row:os", "row:date", "row:hour", "row:path"]).rows, ["os", "date", "hour"]);
});

test("rows stand below their group, each with the figures that the server gave it", () => {
	const pivot = { rows: ["utm_source", "utm_medium"], columns: ["device_type"] } as const;
	const groups = treeOf(
		[
			{
				rows: [
					{ utm_source: "google", visitors: 7 },
					{ utm_source: "bing", visitors: 1 },
				],
				cells: [{ utm_source: "google", device_type: "mobile", visitors: 4 }],
			},
			{
				rows: [
					{ utm_source: "google", utm_medium: "organic", visitors: 6 },
					{ utm_source: "google", utm_medium: "cpc", visitors: 5 },
					{ utm_source: "other", utm_medium: "email", visitors: 9 },
				],
				cells: [{ utm_source: "google", utm_medium: "cpc", device_type: "mobile", visitors: 3 }],
			},
		],
		pivot,
	);
	const told = groups
		.flatMap((group) => [group, ...group.below])
		.map(({ path, total }) => [...path, total["visitors"]]);
	assert.deepEqual(told, [
		["google", 7],
		["google", "organic", 6],
		["google", "cpc", 5],
		["bing", 1],
	]);
	const mobile = keyOf({ device_type: "mobile" }, pivot.columns);
	assert.equal(groups[0]?.cells.get(mobile)?.["visitors"], 4);
	assert.equal(groups[0]?.below[1]?.cells.get(mobile)?.["visitors"], 3);
});

test("rates are calculated from the sums of their own row", () => {
	const row = { entrances: 300, conversions: 7, page_views: 1000, bounce_rate: 41.67 };
	assert.equal(amountOf("conversion_rate", row), 2.33);
	assert.equal(amountOf("pages_per_session", row), 3.33);
	assert.equal(amountOf("bounce_rate", row), 41.67);
	assert.equal(amountOf("conversion_rate", { entrances: 2, conversions: 5 }), 100);
	assert.equal(amountOf("entrances", undefined), 0);
	assert.deepEqual(metricsOf(["bounce_rate", "conversion_rate"]), ["entrances", "engaged_entrances", "conversions"]);
});

test("a row of the previous period has figures of its own", () => {
	const earlier = earlierOf({ entrances: 10, entrances_prev: 8, conversions: 1, conversions_prev: 2 });
	assert.deepEqual(earlier, { entrances: 8, conversions: 2 });
	assert.equal(amountOf("conversion_rate", earlier), 25);
	assert.equal(earlierOf({ utm_source: "google", entrances: 10 }), undefined);
});

test("figures that mean nothing by a dimension are not asked", () => {
	assert.deepEqual(meaningful(["entrances", "revenue"], ["conversion_type"]), ["revenue"]);
	assert.deepEqual(meaningful(["entrances", "visit_duration"], ["path"]), ["entrances"]);
	assert.deepEqual(meaningful(["entrances", "visit_duration"], ["country"]), ["entrances", "visit_duration"]);
});
