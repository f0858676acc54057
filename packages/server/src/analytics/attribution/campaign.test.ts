import assert from "node:assert/strict";
import { test } from "node:test";
import { explicitCampaign, type UtmMapping } from "./campaign.ts";
import { findClickIds } from "./click-ids.ts";
import { parseQuery } from "./page-address.ts";

const read = (query: string, mappings: readonly UtmMapping[] = []) => explicitCampaign(parseQuery(query), mappings);

test("the five parameters are taken as they are, the others stay empty", () => {
	assert.deepEqual(read("utm_source=News&utm_content=a%26b&x=1"), {
		utm_source: "News",
		utm_medium: "",
		utm_campaign: "",
		utm_term: "",
		utm_content: "a&b",
	});
});

test("an address without campaign values has no campaign", () => {
	assert.equal(read(""), undefined);
	assert.equal(read("x=1"), undefined);
	assert.equal(read("utm_source=&utm_medium=%20"), undefined);
	assert.equal(read("UTM_Source=x"), undefined);
});

test("a mapping fills a field that is not explicitly set", () => {
	const mappings: readonly UtmMapping[] = [
		{ customParam: "src", mapsTo: "utm_source" },
		{ customParam: "from", mapsTo: "utm_source" },
		{ customParam: "kw", mapsTo: "utm_term" },
	];
	assert.equal(read("src=a", mappings)?.utm_source, "a");
	assert.equal(read("src=a&utm_source=b", mappings)?.utm_source, "b");
	assert.equal(read("utm_source=&src=a", mappings)?.utm_source, "a");
	assert.equal(read("from=b&src=a", mappings)?.utm_source, "a");
	assert.equal(read("from=b&src=", mappings)?.utm_source, "b");
	assert.equal(read("SRC=a", mappings), undefined);
	assert.deepEqual(read("kw=shoes&utm_source=b", mappings), {
		utm_source: "b",
		utm_medium: "",
		utm_campaign: "",
		utm_term: "shoes",
		utm_content: "",
	});
});

test("values are cut at 255 characters", () => {
	assert.equal(read(`utm_campaign=${"a".repeat(5000)}`)?.utm_campaign.length, 255);
});

const table = [
	["gclid", "google", "cpc"],
	["gbraid", "google", "cpc"],
	["wbraid", "google", "cpc"],
	["fbclid", "facebook", "social"],
	["msclkid", "bing", "cpc"],
	["yclid", "yandex", "cpc"],
	["ttclid", "tiktok", "cpc"],
	["twclid", "twitter", "cpc"],
	["li_fat_id", "linkedin", "cpc"],
	["ScCid", "snapchat", "cpc"],
	["rdt_cid", "reddit", "cpc"],
] as const;

for (const [name, source, medium] of table) {
	test(`${name} means ${source} / ${medium}`, () => {
		const found = findClickIds(parseQuery(`a=b&${name}=Xy-1`));
		assert.deepEqual(
			found.map(({ utm_source, utm_medium, value }) => [utm_source, utm_medium, value]),
			[[source, medium, "Xy-1"]],
		);
	});
}

test("several click ids come in the order of the table, empty ones not at all", () => {
	const found = findClickIds(parseQuery("fbclid=f&gclid=g&yclid="));
	assert.deepEqual(
		found.map(({ value }) => value),
		["g", "f"],
	);
});
