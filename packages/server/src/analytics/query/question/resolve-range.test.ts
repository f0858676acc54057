import assert from "node:assert/strict";
import { test } from "node:test";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { type ComparisonMode, comparisonRange, type DateRange, daysIn } from "./date-range.ts";
import { type Period, periodNames } from "./periods.ts";
import { type DateContext, type DateInput, resolveRange } from "./resolve-range.ts";

// A Saturday in Madrid, already Sunday in Auckland.
const now = Date.parse("2026-11-21T11:30:00Z");
const context = (timezone = "Europe/Madrid"): DateContext => ({ timezone, clock: { now: () => now } });
const text = ({ start, end }: DateRange) => `${start} ${end}`;
const resolved = (input: DateInput, timezone?: string) => text(resolveRange(input, context(timezone)));

test("each period covers these days on Saturday 21 November 2026", () => {
	const expected: Record<Period, string> = {
		today: "2026-11-21 2026-11-21",
		yesterday: "2026-11-20 2026-11-20",
		"7d": "2026-11-15 2026-11-21",
		"30d": "2026-10-23 2026-11-21",
		"90d": "2026-08-24 2026-11-21",
		"12m": "2025-11-22 2026-11-21",
		this_week: "2026-11-16 2026-11-22",
		last_week: "2026-11-09 2026-11-15",
		this_month: "2026-11-01 2026-11-30",
		last_month: "2026-10-01 2026-10-31",
		this_quarter: "2026-10-01 2026-12-31",
		last_quarter: "2026-07-01 2026-09-30",
		this_year: "2026-01-01 2026-12-31",
		last_year: "2025-01-01 2025-12-31",
		wtd: "2026-11-16 2026-11-21",
		mtd: "2026-11-01 2026-11-21",
		qtd: "2026-10-01 2026-11-21",
		ytd: "2026-01-01 2026-11-21",
	};
	for (const period of periodNames) assert.equal(resolved({ period }), expected[period], period);
});

test("today is the day in the site's own zone", () => {
	assert.equal(resolved({ period: "today" }, "Pacific/Auckland"), "2026-11-22 2026-11-22");
	assert.equal(resolved({ period: "today" }, "America/Los_Angeles"), "2026-11-21 2026-11-21");
});

test("missing dates default to 30 days, an open end to today, an open start to the 30 days before the end", () => {
	assert.equal(resolved({}), "2026-10-23 2026-11-21");
	assert.equal(resolved({ start_date: "2026-11-01" }), "2026-11-01 2026-11-21");
	assert.equal(resolved({ date_from: "2026-11-01" }), "2026-11-01 2026-11-21");
	assert.equal(resolved({ end_date: "2026-03-31" }), "2026-03-02 2026-03-31");
	assert.equal(resolved({ date_to: "2026-03-31" }), "2026-03-02 2026-03-31");
	assert.equal(resolved({ period: "today", start_date: "2026-01-01" }), "2026-11-21 2026-11-21");
});

function failure(input: DateInput): ServiceError {
	try {
		resolveRange(input, context());
	} catch (error) {
		if (error instanceof ServiceError) return error;
	}
	throw new Error("nothing was refused");
}

test("a malformed date is a bad question that names its own field", () => {
	for (const date of ["2026-02-29", "2026-1-1", "20260101", "", "2026-13-01", "today"]) {
		assert.throws(() => resolveRange({ date_from: date }, context()), { name: "BadQuestion", at: ["date_from"] });
	}
	const input = { period: "today", end_date: "x" } as const;
	assert.throws(() => resolveRange(input, context()), { name: "BadQuestion", at: ["end_date"] });
});

test("a start after the end and more than 730 days are a 400; 730 days are not", () => {
	assert.equal(failure({ start_date: "2026-11-21", end_date: "2026-11-20" }).code, "bad_request");
	assert.equal(failure({ start_date: "2026-11-22" }).code, "bad_request");
	assert.equal(failure({ start_date: "2024-11-21", end_date: "2026-11-21" }).code, "bad_request");
	assert.equal(daysIn(resolveRange({ start_date: "2024-11-22", end_date: "2026-11-21" }, context())), 730);
});

test("a range is compared with the days before it, or with the same days a year earlier", () => {
	const compared = (start_date: string, end_date: string, mode: ComparisonMode) =>
		text(comparisonRange(resolveRange({ start_date, end_date }, context()), mode));
	assert.equal(compared("2026-11-15", "2026-11-21", "previous"), "2026-11-08 2026-11-14");
	assert.equal(compared("2026-03-01", "2026-03-01", "previous"), "2026-02-28 2026-02-28");
	assert.equal(compared("2026-11-15", "2026-11-21", "yoy"), "2025-11-15 2025-11-21");
	assert.equal(compared("2024-02-01", "2024-02-29", "yoy"), "2023-02-01 2023-02-28");
	assert.equal(compared("2026-11-16", "2026-11-22", "yoy_weekday"), "2025-11-17 2025-11-23");
});
