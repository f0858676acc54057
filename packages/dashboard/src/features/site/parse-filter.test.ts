import assert from "node:assert/strict";
import { test } from "node:test";
import { formatFilter, isChosen, parseFilter, parseFilters, segmentFilters, withValue } from "./parse-filter.ts";

test("a filter of the address is field, operator and value, and is written as it was read", () => {
	for (const [text, values] of [
		["utm_source:eq:google", ["google"]],
		["country:in:ES|FR", ["ES", "FR"]],
		["path:starts_with:/docs/a:b", ["/docs/a:b"]],
		["referrer_domain:eq:", [""]],
		["utm_campaign:in:a%7Cb|c%2Cd", ["a|b", "c,d"]],
		["path:eq:/a%252Cb", ["/a%2Cb"]],
		["path:eq:/a%25252cb", ["/a%252cb"]],
	] as const) {
		const filter = parseFilter(text);
		assert.ok(filter, text);
		assert.deepEqual(filter.values, values);
		assert.equal(formatFilter(filter), text);
	}
});

test("what makes no sense is no filter", () => {
	assert.deepEqual(parseFilters(["", "google", "colour:eq:red", "country:like:ES", "country:eq:ES"]), [
		{ field: "country", operator: "eq", values: ["ES"] },
	]);
});

test("a click adds a value to those of its field, and another one lets it go", () => {
	const one = withValue([], "utm_source", "google");
	assert.deepEqual(one, ["utm_source:eq:google"]);
	const two = withValue(one, "utm_source", "bing");
	assert.deepEqual(two, ["utm_source:in:google|bing"]);
	assert.ok(isChosen(two, "utm_source", "bing"));
	assert.deepEqual(withValue(two, "utm_source", "google"), ["utm_source:eq:bing"]);
	assert.deepEqual(withValue(one, "utm_source", "google"), []);
});

test("excluding a value joins the exclusions of its field and ends its inclusion", () => {
	const two = withValue(["country:ne:ES"], "country", "FR", "exclude");
	assert.deepEqual(two, ["country:not_in:ES|FR"]);
	assert.deepEqual(withValue(["country:in:ES|FR"], "country", "FR", "exclude"), ["country:eq:ES", "country:ne:FR"]);
	assert.deepEqual(withValue(two, "country", "FR"), ["country:ne:ES", "country:eq:FR"]);
	assert.deepEqual(withValue(two, "country", "FR", "exclude"), two);
});

test("other filters stay as they are", () => {
	assert.deepEqual(withValue(["path:contains:/docs", "os:eq:iOS"], "path", "/a,b"), [
		"path:contains:/docs",
		"os:eq:iOS",
		"path:eq:/a%2Cb",
	]);
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
