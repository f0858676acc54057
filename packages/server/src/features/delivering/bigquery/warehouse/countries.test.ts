import assert from "node:assert/strict";
import { test } from "node:test";
import { getAllCountries } from "countries-and-timezones";
import { countryRows } from "./countries.ts";

test("each country that a time zone leads to is in one region, and none is there twice", () => {
	const codes = countryRows.map((row) => row.country_code);
	assert.equal(new Set(codes).size, codes.length);
	const known = Object.keys(getAllCountries());
	assert.deepEqual(
		known.filter((code) => !codes.includes(code)),
		[],
	);
	assert.deepEqual(
		countryRows.filter((row) => row.country_code !== "Unknown" && row.country_name === row.country_code),
		[],
	);
});
