import assert from "node:assert/strict";
import { test } from "node:test";
import { matrixOf } from "./matrix.ts";
import { cellOf, columnsOf, type EventRow, shownColumns } from "./row-columns.ts";

test("a matrix has the frequent values and sources, and says how many more there are", () => {
	const row = (utm_source: string, values: Record<string, number>) => ({
		...{ utm_source, utm_medium: "organic", utm_campaign: "", values },
		total: Object.values(values).reduce((sum, value) => sum + value, 0),
	});
	const data = [row("google", { free: 29, club: 3, gift: 90 }), row("bing", { free: 4 }), row("ecosia", { club: 1 })];
	const matrix = matrixOf({ data, totals: { club: 4, free: 33, gift: 2 } }, 2, 2);
	assert.deepEqual(matrix.values, ["free", "club"]);
	const found = matrix.rows.map(({ utm_source: source }) => source);
	assert.deepEqual(found, ["google", "bing"]);
	assert.deepEqual([matrix.valuesLeftOut, matrix.rowsLeftOut, matrix.most], [1, 1, 29]);
	assert.equal(matrixOf({ data: [], totals: {} }, 2, 2).most, 0);
});

const row: Partial<EventRow> = { amount: 12.5, properties: { order_id: "7", coupon: "" }, landing_page: "/%C3%A9" };

test("columns are those of the address, in their own order; without any the usual ones; properties are one text", () => {
	assert.deepEqual(shownColumns(["country", "conversion_type", "nonsense"], "conversions"), [
		"conversion_type",
		"country",
	]);
	const usual = ["conversion_type", "utm_source", "landing_page", "country", "device_type"];
	assert.deepEqual(shownColumns([], "microconversions"), usual);
	assert.deepEqual(shownColumns(["amount"], "items").at(-1), "properties");
	assert.ok(!columnsOf("microconversions").includes("clid"));
	const cells = (["amount", "properties", "clid", "landing_page"] as const).map((column) =>
		cellOf(row as EventRow, column),
	);
	assert.deepEqual(cells, [12.5, "order_id: 7", "", "/é"]);
});
