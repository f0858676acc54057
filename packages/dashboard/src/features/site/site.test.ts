import assert from "node:assert/strict";
import { test } from "node:test";
import { formatFilter, isChosen, parseFilter, parseFilters, segmentFilters, withValue } from "./parse-filter.ts";
import { comparedDays, daysOf } from "./range.ts";
import type { SiteSearch } from "./search.ts";
import { asChange, isRunning, stepped } from "./steps.ts";

test("a filter of the address is field, operator and value, and is written as it was read; what makes no sense is none", () => {
	for (const [text, values] of [
		["utm_source:eq:google", ["google"]],
		["country:in:ES|FR", ["ES", "FR"]],
		["path:starts_with:/docs/a:b", ["/docs/a:b"]],
		["referrer_domain:eq:", [""]],
		["utm_campaign:in:a%7Cb|c%2Cd", ["a|b", "c,d"]],
		["path:eq:/a%252Cb", ["/a%2Cb"]],
		["path:eq:/a%25252cb", ["/a%252cb"]],
		["property.plan:in:Pro%7CTeam|%3A:", ["Pro|Team", "%3A:"]],
		["property.a%3Ab%2Cc|%253A:eq:x", ["x"]],
	] as const) {
		const filter = parseFilter(text);
		assert.ok(filter, text);
		assert.deepEqual(filter.values, values);
		assert.equal(formatFilter(filter), text);
	}
	assert.equal(parseFilter("property.a%3Ab%2Cc|%253A:eq:x")?.field, "property.a:b,c|%3A");
	assert.deepEqual(parseFilters(["", "google", "colour:eq:red", "country:like:ES", "country:eq:ES"]), [
		{ field: "country", operator: "eq", values: ["ES"] },
	]);
});

test("a click adds a value to those of its field, or to its exclusions, and another one lets it go; other filters stay", () => {
	const two = ["utm_source:in:google|bing"];
	const none = ["country:not_in:ES|FR"];
	const others = ["path:contains:/docs", "os:eq:iOS"];
	for (const [before, field, value, after, how] of [
		[[], "utm_source", "google", ["utm_source:eq:google"]],
		[["utm_source:eq:google"], "utm_source", "bing", two],
		[two, "utm_source", "google", ["utm_source:eq:bing"]],
		[["utm_source:eq:google"], "utm_source", "google", []],
		[others, "path", "/a,b", [...others, "path:eq:/a%2Cb"]],
		[["country:ne:ES"], "country", "FR", none, "exclude"],
		[["country:in:ES|FR"], "country", "FR", ["country:eq:ES", "country:ne:FR"], "exclude"],
		[none, "country", "FR", ["country:ne:ES", "country:eq:FR"]],
		[none, "country", "FR", none, "exclude"],
		[["property.plan:eq:Pro"], "property.a:b", "x", ["property.plan:eq:Pro", "property.a%3Ab:eq:x"]],
	] as const)
		assert.deepEqual(withValue(before, field, value, how), after);
	assert.ok(isChosen(two, "utm_source", "bing"));
});

test("filters become the conditions of a segment that respects case as they do", () => {
	assert.equal(segmentFilters(["nothing"]), undefined);
	const f = ["utm_source:eq:a%2Cb", "country:not_in:US|GB", "path:regex:^/a:b", "os:ne:iOS", "nothing"];
	assert.deepEqual(JSON.parse(segmentFilters(f) ?? ""), {
		conditions: [
			{ field: "utm_source", operator: "in", value: ["a,b"] },
			{ field: "country", operator: "not_in", value: ["US", "GB"] },
			{ field: "path", operator: "regex", value: "^/a:b" },
			{ field: "os", operator: "not_in", value: ["iOS"] },
		],
	});
});

const search = (given: Partial<SiteSearch>): SiteSearch => ({
	...{ period: "30d", compare: "previous", f: [], metric: "entrances", by: "auto", view: [] },
	...given,
});

test("periods are the days that the server takes them for", () => {
	for (const [period, days, today = "2026-11-22"] of [
		["today", "2026-11-22 2026-11-22"],
		["yesterday", "2026-11-21 2026-11-21"],
		["7d", "2026-11-16 2026-11-22"],
		["30d", "2026-10-24 2026-11-22"],
		["90d", "2026-08-25 2026-11-22"],
		["12m", "2025-11-23 2026-11-22"],
		["this_week", "2026-11-16 2026-11-22"],
		["last_week", "2026-11-09 2026-11-15"],
		["this_month", "2026-11-01 2026-11-30"],
		["last_month", "2026-10-01 2026-10-31"],
		["this_quarter", "2026-10-01 2026-12-31"],
		["last_quarter", "2026-07-01 2026-09-30"],
		["this_year", "2026-01-01 2026-12-31"],
		["last_year", "2025-01-01 2025-12-31"],
		["last_month", "2025-12-01 2025-12-31", "2026-01-31"],
		["last_quarter", "2025-10-01 2025-12-31", "2026-02-01"],
	] as const) {
		const { from, to } = daysOf(search({ period }), today);
		assert.equal(`${from} ${to}`, days, period);
	}
});

test("a range is compared with as many days before, the year before, the same weekdays, or days of one's own", () => {
	const compared = (given: Partial<SiteSearch>) => {
		const days = comparedDays(search(given), { from: "2024-02-29", to: "2024-03-01" });
		return days && `${days.from} ${days.to}`;
	};
	assert.equal(compared({ compare: "previous" }), "2024-02-27 2024-02-28");
	assert.equal(compared({ compare: "yoy" }), "2023-02-28 2023-03-01");
	assert.equal(compared({ compare: "yoy_weekday" }), "2023-03-02 2023-03-03");
	assert.equal(compared({ compare: "custom", cfrom: "2023-01-01", cto: "2023-01-02" }), "2023-01-01 2023-01-02");
	assert.equal(compared({ compare: "none" }), undefined);
});

test("a step goes as many days back and forward to the named period again, whole months stay whole, and none leads into days to come", () => {
	const friday = "2026-11-20";
	const custom = (from: string, to: string) => ({ period: "custom", from, to }) as const;
	for (const [before, by, after] of [
		[{ period: "7d" }, -1, custom("2026-11-07", "2026-11-13")],
		[custom("2026-11-07", "2026-11-13"), 1, { period: "7d", from: undefined, to: undefined }],
		[{ period: "yesterday" }, 1, { period: "today", from: undefined, to: undefined }],
		[{ period: "last_month" }, -1, custom("2026-09-01", "2026-09-30")],
		[custom("2026-01-01", "2026-03-31"), -1, custom("2025-10-01", "2025-12-31")],
		[{ period: "30d" }, 1, undefined],
		[{ period: "this_month" }, 1, undefined],
		[custom("2026-11-11", "2026-11-15"), 1, custom("2026-11-16", "2026-11-20")],
		[custom("2026-11-10", "2026-11-17"), 1, custom("2026-11-13", "2026-11-20")],
	] as const)
		assert.deepEqual(stepped(before, by, friday), after);
	assert.equal(stepped({ period: "today" }, -1, friday)?.period, "yesterday");
	assert.equal(stepped({ period: "this_month" }, -1, friday)?.period, "last_month");
	assert.equal(stepped({ period: "last_week" }, 1, friday)?.period, "this_week");
	assert.equal(asChange({ from: "2026-10-01", to: "2026-10-31" }, friday).period, "last_month");
	assert.equal(isRunning({ from: "2026-11-20", to: "2026-11-30" }, friday), true);
	assert.equal(isRunning({ from: "2026-11-01", to: "2026-11-19" }, friday), false);
});
