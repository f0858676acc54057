import assert from "node:assert/strict";
import { test } from "node:test";
import { parseAdvancedFilters } from "./advanced-filters.ts";
import { BadQuestion } from "./bad-question.ts";
import type { DateRange } from "./date-range.ts";
import { isRegularExpression } from "./dimension-filter.ts";
import { type Period, periodNames } from "./periods.ts";
import { ofEvents, ofVisits } from "./reading.ts";
import { comparedRange } from "./resolve-comparison.ts";
import { type DateContext, type DateInput, resolveRange } from "./resolve-range.ts";

const parse = (text: string) => parseAdvancedFilters(text, ofVisits);

const entries: readonly (readonly [text: string, ...filters: string[]])[] = [
	[""],
	// Entries are split at commas, lists at pipes, and escaped commas and pipes stay in the value.
	["utm_source:eq:a%2Cb%7cc, country:in:es|Unknown|fr", "utm_source eq a,b|c", "country in ES / Unknown / FR"],
	["path:contains:/x:y,referrer:ne:", "landing_page contains /x:y", "referrer_domain ne "],
	["utm_term:in:a%7Cb|c", "utm_term in a|b / c"],
	// A value that holds an escape itself is written with one more %25; other percent signs stand for themselves.
	["path:eq:/x%252Cy%257cz%25252C", "landing_page eq /x%2Cy%7Cz%252C"],
	["utm_campaign:in:50%25|100%|%25%2C", "utm_campaign in 50%25 / 100% / %25,"],
	// Blanks around values are left out, as in every text of a request.
	[" utm_source:eq: a b ,utm_term:in: c | d ", "utm_source eq a b", "utm_term in c / d"],
	// Numbers are compared as lists, groups are those of the question.
	["hour:eq:08,day_of_week:ne:7", "hour in 8", "day_of_week not_in 7"],
	["content_grouping:starts_with:b", "landing_content_grouping starts_with b"],
];

test("filters are read as field, operator and values", () => {
	for (const [text, ...expected] of entries) {
		const read = parse(text).map(({ dimension, operator, values }) => `${dimension} ${operator} ${values.join(" / ")}`);
		assert.deepEqual(read, expected, text);
	}
	// Types of events are those of the visit, but where the question is about events.
	assert.deepEqual(parse("conversion_type:neq:sale"), [
		{ dimension: "conversion_type", operator: "ne", values: ["sale"], of: "visit" },
	]);
	assert.deepEqual(parseAdvancedFilters("conversion_type:ends_with:e,channel:eq:Direct", ofEvents), [
		{ dimension: "conversion_type", operator: "ends_with", values: ["e"] },
		{ dimension: "channel_group", operator: "eq", values: ["Direct"] },
	]);
});

const malformed = [
	..."utm_source utm_source:eq utm_source:is:x Utm_source:eq:x channels:eq:x hour:eq:24 hour:contains:1".split(" "),
	..."day_of_week:in:0|1 os:like:x utm_source:eq:x, , country:eq:Spain device_type:in:desktop|watch".split(" "),
	..."path:regex:( path:not_regex:(?=x) path:regex:a\0b".split(" "),
	Array(21).fill("os:eq:x").join(),
];

test("anything malformed is a bad question, whose refusal repeats an entry and says what would do", () => {
	const refusalOf = (text: string) => {
		try {
			parse(text);
		} catch (error) {
			if (error instanceof BadQuestion) return error;
		}
		throw new Error(`${text} was not refused`);
	};
	for (const text of malformed) assert.deepEqual(refusalOf(text).at, [], text);
	assert.equal(parse(Array(20).fill("os:eq:x").join()).length, 20);
	for (const [text, message] of [
		[
			"os:eq:iOS,path:regex:^/a{1,3}$",
			'"3}$" must read field:operator:value; a comma in a value is written %2C, in an address %252C',
		],
		[
			"city:eq:Rome",
			'The field of "city:eq:Rome" must be one of path, content_grouping, landing_page, referrer, referrer_domain, utm_source, utm_medium, utm_campaign, utm_term, utm_content, country, device_type, browser, os, channel, channel_group, conversion_type, hour, day_of_week, property.<name>',
		],
		[
			`os:is:${"x".repeat(100)}`,
			`The operator of "os:is:${"x".repeat(58)}" must be one of eq, ne, neq, contains, not_contains, starts_with, ends_with, regex, not_regex, in, not_in`,
		],
	] as const) {
		assert.equal(refusalOf(text).message, message);
	}
});

test("an expression is one that the engine takes too; a Unicode class that it does not know is refused, unless it is quoted", () => {
	const taken = ["", "^/a{1,3}$", "\\p{Greek}", "\\P{^Lu}\\pN", "(?P<a>x)", "[[:alpha:]]", "\\Q(\\E"];
	const quoted = ["\\\\p{1}", "\\Q\\p{Emoji}\\E", "\\Q\\p{Emoji}"];
	for (const pattern of [...taken, ...quoted]) assert.equal(isRegularExpression(pattern), true, pattern);
	const refused = ["(", "(?=a)", "\\1", "a**", "x{1001}", "a\0b", "a".repeat(1001)];
	const unknown = ["\\p{Emoji}", "[a\\P{Alphabetic}]", "\\p{^White_Space}", "\\\\\\p{LC}"];
	for (const pattern of [...refused, ...unknown])
		assert.equal(isRegularExpression(pattern), false, pattern.slice(0, 20));
});

// A Saturday in Madrid, already Sunday in Auckland.
const now = Date.parse("2026-11-21T11:30:00Z");
const context = (timezone = "Europe/Madrid"): DateContext => ({ timezone, clock: { now: () => now } });
const text = ({ start, end }: DateRange) => `${start} ${end}`;
const resolved = (input: DateInput, timezone?: string) => text(resolveRange(input, context(timezone)));

test("each period covers these days on Saturday 21 November 2026, in the site's own zone", () => {
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
	assert.equal(resolved({ period: "today" }, "Pacific/Auckland"), "2026-11-22 2026-11-22");
	assert.equal(resolved({ period: "today" }, "America/Los_Angeles"), "2026-11-21 2026-11-21");
});

test("missing dates default to 30 days, an open end to today, an open start to the 30 days before the end", () => {
	for (const [input, expected] of [
		[{}, "2026-10-23 2026-11-21"],
		[{ start_date: "2026-11-01" }, "2026-11-01 2026-11-21"],
		[{ date_from: "2026-11-01" }, "2026-11-01 2026-11-21"],
		[{ end_date: "2026-03-31" }, "2026-03-02 2026-03-31"],
		[{ date_to: "2026-03-31" }, "2026-03-02 2026-03-31"],
		[{ period: "today", start_date: "2026-01-01" }, "2026-11-21 2026-11-21"],
		// 730 days are the most.
		[{ start_date: "2024-11-22", end_date: "2026-11-21" }, "2024-11-22 2026-11-21"],
	] as const) {
		assert.equal(resolved(input), expected, JSON.stringify(input));
	}
});

test("a malformed date is a bad question that names its own field; days that are no range or more than 730 are a 400", () => {
	for (const date of ["2026-02-29", "2026-1-1", "20260101", "", "2026-13-01", "today", "0999-12-31"]) {
		assert.throws(() => resolved({ date_from: date }), { name: "BadQuestion", at: ["date_from"] });
	}
	assert.throws(() => resolved({ period: "today", end_date: "x" }), { name: "BadQuestion", at: ["end_date"] });
	for (const input of [
		{ start_date: "2026-11-21", end_date: "2026-11-20" },
		{ start_date: "2026-11-22" },
		{ start_date: "2024-11-21", end_date: "2026-11-21" },
	]) {
		assert.throws(() => resolved(input), { name: "ServiceError", code: "bad_request" });
	}
});

test("a range is compared with the days before it, with the same days a year earlier, or with days that are given", () => {
	for (const [start_date, end_date, compare, expected] of [
		["2026-11-15", "2026-11-21", "previous", "2026-11-08 2026-11-14"],
		["2026-03-01", "2026-03-01", "previous", "2026-02-28 2026-02-28"],
		["2026-11-15", "2026-11-21", "yoy", "2025-11-15 2025-11-21"],
		["2024-02-01", "2024-02-29", "yoy", "2023-02-01 2023-02-28"],
		["2026-11-16", "2026-11-22", "yoy_weekday", "2025-11-17 2025-11-23"],
	] as const) {
		const compared = comparedRange({ compare }, resolveRange({ start_date, end_date }, context()));
		assert.equal(compared && text(compared), expected);
	}
	const [start, earlier, end] = ["2026-11-01", "2026-10-31", "2026-11-02"];
	const range = resolveRange({ period: "today" }, context());
	const given = comparedRange({ compare: "custom", compare_start: start, compare_end: end }, range);
	assert.equal(given && text(given), `${start} ${end}`);
	for (const [field, input] of [
		["compare_start", { compare: "custom" }],
		["compare_start", { compare: "custom", compare_end: end }],
		["compare_end", { compare: "custom", compare_start: start }],
		["compare_end", { compare: "custom", compare_start: start, compare_end: earlier }],
		["compare_end", { compare: "custom", compare_start: "2024-11-01", compare_end: start }],
		["compare_start", { compare: "yoy", compare_start: start }],
		["compare_end", { compare_end: start }],
	] as const) {
		assert.throws(() => comparedRange(input, range), { name: "BadQuestion", at: [field] }, JSON.stringify(input));
	}
});
