import assert from "node:assert/strict";
import { test } from "node:test";
import { matrixOf } from "./matrix.ts";

test("a matrix has the frequent values and sources, and says how many more there are", () => {
	const row = (utm_source: string, values: Record<string, number>) => ({
		utm_source,
		utm_medium: "organic",
		utm_campaign: "",
		total: Object.values(values).reduce((sum, value) => sum + value, 0),
		values,
	});
	const data = [row("google", { free: 29, club: 3, gift: 90 }), row("bing", { free: 4 }), row("ecosia", { club: 1 })];
	const matrix = matrixOf({ data, totals: { club: 4, free: 33, gift: 2 } }, 2, 2);
	assert.deepEqual(matrix.values, ["free", "club"]);
	assert.equal(matrix.valuesLeftOut, 1);
	assert.deepEqual(
		matrix.rows.map(({ utm_source: source }) => source),
		["google", "bing"],
	);
	assert.equal(matrix.rowsLeftOut, 1);
	assert.equal(matrix.most, 29);
	assert.equal(matrixOf({ data: [], totals: {} }, 2, 2).most, 0);
});
