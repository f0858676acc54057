import assert from "node:assert/strict";
import { test } from "node:test";
import { parseAdvancedFilters } from "./advanced-filters.ts";
import { BadQuestion } from "./bad-question.ts";
import { mergeConditions } from "./merge-conditions.ts";
import { ofEvents, ofVisits } from "./reading.ts";

const parse = (text: string) => parseAdvancedFilters(text, ofVisits);

test("entries are split at commas, lists at pipes, and escaped commas and pipes stay in the value", () => {
	assert.deepEqual(parse("utm_source:eq:a%2Cb%7cc, country:in:es|Unknown|fr,path:contains:/x:y,referrer:ne:"), [
		{ dimension: "utm_source", operator: "eq", values: ["a,b|c"] },
		{ dimension: "country", operator: "in", values: ["ES", "Unknown", "FR"] },
		{ dimension: "landing_page", operator: "contains", values: ["/x:y"] },
		{ dimension: "referrer_domain", operator: "ne", values: [""] },
	]);
	assert.deepEqual(parse("utm_term:in:a%7Cb|c"), [{ dimension: "utm_term", operator: "in", values: ["a|b", "c"] }]);
	assert.deepEqual(parse(""), []);
});

test("a value that holds an escape itself is written with one more %25; other percent signs stand for themselves", () => {
	assert.deepEqual(parse("path:eq:/x%252Cy%257cz%25252C,utm_campaign:in:50%25|100%|%25%2C"), [
		{ dimension: "landing_page", operator: "eq", values: ["/x%2Cy%7Cz%252C"] },
		{ dimension: "utm_campaign", operator: "in", values: ["50%25", "100%", "%25,"] },
	]);
});

test("blanks around values are left out, as in every text of a request", () => {
	assert.deepEqual(parse(" utm_source:eq: a b ,utm_term:in: c | d "), [
		{ dimension: "utm_source", operator: "eq", values: ["a b"] },
		{ dimension: "utm_term", operator: "in", values: ["c", "d"] },
	]);
});

test("numbers are compared as lists, pages and groups are those of the question, types of events those of the visit", () => {
	assert.deepEqual(parse("hour:eq:08,day_of_week:ne:7,content_grouping:starts_with:b,conversion_type:neq:sale"), [
		{ dimension: "hour", operator: "in", values: ["8"] },
		{ dimension: "day_of_week", operator: "not_in", values: ["7"] },
		{ dimension: "landing_content_grouping", operator: "starts_with", values: ["b"] },
		{ dimension: "conversion_type", operator: "ne", values: ["sale"], of: "visit" },
	]);
	assert.deepEqual(parseAdvancedFilters("conversion_type:ends_with:e,channel:eq:Direct", ofEvents), [
		{ dimension: "conversion_type", operator: "ends_with", values: ["e"] },
		{ dimension: "channel_group", operator: "eq", values: ["Direct"] },
	]);
});

test("anything malformed is a bad question", () => {
	const malformed = [
		"utm_source",
		"utm_source:eq",
		"utm_source:is:x",
		"Utm_source:eq:x",
		"channels:eq:x",
		"hour:eq:24",
		"hour:contains:1",
		"day_of_week:in:0|1",
		"os:like:x",
		"utm_source:eq:x,",
		",",
		"country:eq:Spain",
		"device_type:in:desktop|watch",
		"path:regex:(",
		"path:not_regex:(?=x)",
		"path:regex:a\0b",
		Array.from({ length: 21 }, () => "os:eq:x").join(","),
	];
	for (const text of malformed) {
		assert.throws(
			() => parse(text),
			(error) => error instanceof BadQuestion && error.at.length === 0,
			text,
		);
	}
	assert.equal(parse(Array.from({ length: 20 }, () => "os:eq:x").join(",")).length, 20);
});

test("the refusal of an entry repeats it and says what would do", () => {
	const messageOf = (text: string) => {
		try {
			parse(text);
		} catch (error) {
			if (error instanceof BadQuestion) return error.message;
		}
		return undefined;
	};
	assert.equal(
		messageOf("os:eq:iOS,path:regex:^/a{1,3}$"),
		'"3}$" must read field:operator:value; a comma in a value is written %2C, in an address %252C',
	);
	assert.equal(
		messageOf("city:eq:Rome"),
		'The field of "city:eq:Rome" must be one of path, content_grouping, landing_page, referrer, referrer_domain, utm_source, utm_medium, utm_campaign, utm_term, utm_content, country, device_type, browser, os, channel, channel_group, conversion_type, hour, day_of_week',
	);
	assert.equal(
		messageOf(`os:is:${"x".repeat(100)}`),
		`The operator of "os:is:${"x".repeat(58)}" must be one of eq, ne, neq, contains, not_contains, starts_with, ends_with, regex, not_regex, in, not_in`,
	);
});

test("advanced filters rank over parameters, parameters over segments, and the rest is ANDed", () => {
	const filter = (dimension: "country" | "os" | "browser" | "device_type", value: string) =>
		({ dimension, operator: "eq", values: [value] }) as const;
	const group = { any: [filter("country", "PT"), filter("os", "Linux")] };
	assert.deepEqual(
		mergeConditions({
			advanced: [filter("country", "ES"), filter("country", "FR")],
			parameters: [filter("country", "DE"), filter("os", "iOS")],
			segments: [
				[filter("os", "Windows"), filter("browser", "Chrome"), group],
				[filter("browser", "Safari"), filter("device_type", "mobile")],
			],
		}),
		[
			filter("country", "ES"),
			filter("country", "FR"),
			filter("os", "iOS"),
			filter("browser", "Chrome"),
			group,
			filter("device_type", "mobile"),
		],
	);
});
