import assert from "node:assert/strict";
import { test } from "node:test";
import { cellOf, columnsOf, type EventRow, shownColumns } from "./row-columns.ts";

const row: EventRow = {
	date: "2026-11-21",
	hour: 13,
	timestamp_utc: "2026-11-21T12:00:00.000Z",
	timestamp_local: "2026-11-21T13:00:00.000+01:00",
	conversion_type: "purchase",
	country: "ES",
	device_type: "mobile",
	channel_group: "Direct",
	utm_source: "(direct)",
	utm_medium: "(none)",
	utm_campaign: "",
	utm_term: "",
	utm_content: "",
	landing_page: "/",
	browser: "Chrome",
	os: "Android",
	properties: { order_id: "7", coupon: "" },
	amount: 12.5,
};

test("columns are those of the address, in their own order; without any the usual ones", () => {
	assert.deepEqual(shownColumns(["country", "conversion_type", "nonsense"], "conversions"), [
		"conversion_type",
		"country",
	]);
	assert.deepEqual(shownColumns([], "microconversions"), [
		"conversion_type",
		"utm_source",
		"landing_page",
		"country",
		"device_type",
	]);
	assert.deepEqual(shownColumns(["amount"], "items").at(-1), "properties");
	assert.ok(!columnsOf("microconversions").includes("clid"));
});

test("a cell is the value of its column, properties are one text", () => {
	assert.equal(cellOf(row, "amount"), 12.5);
	assert.equal(cellOf(row, "properties"), "order_id: 7");
	assert.equal(cellOf(row, "clid"), "");
});
