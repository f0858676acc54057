import assert from "node:assert/strict";
import { test } from "node:test";
import { rowDecoder } from "./decode-rows.ts";

test("quoted numbers become numbers where the declared type is numeric, and only there", () => {
	const decode = rowDecoder(
		["big", "money", "maybe", "text", "day", "list", "map", "words"],
		[
			"UInt64",
			"Decimal(18, 4)",
			"Nullable(Int64)",
			"LowCardinality(String)",
			"Date",
			"Array(UInt64)",
			"Map(String, Decimal(38, 4))",
			"Map(String, Array(String))",
		],
	);
	assert.deepEqual(
		decode([
			"404",
			"12.5000",
			null,
			"404",
			"2026-03-01",
			["1", 2],
			[{ keys: "a", values: "1.5" }],
			[{ keys: "b", values: ["7"] }],
		]),
		{
			big: 404,
			money: 12.5,
			maybe: null,
			text: "404",
			day: "2026-03-01",
			list: [1, 2],
			map: { a: 1.5 },
			words: { b: ["7"] },
		},
	);
});

test("an aggregate's declared value type counts", () => {
	assert.deepEqual(rowDecoder(["n"], ["SimpleAggregateFunction(sum, UInt64)"])(["9"]), { n: 9 });
});
