import assert from "node:assert/strict";
import { test } from "node:test";
import { countryName, countryOfZone, zoneChoices } from "./country-of-zone.ts";

test("a zone stands for its country, under its old names too", () => {
	const expected: Readonly<Record<string, string>> = {
		"Europe/Madrid": "ES",
		"Europe/London": "GB",
		"Europe/Stockholm": "SE",
		"America/New_York": "US",
		"US/Pacific": "US",
		"Asia/Kolkata": "IN",
		"Asia/Calcutta": "IN",
		"Europe/Kiev": "UA",
		"Asia/Saigon": "VN",
		"America/Buenos_Aires": "AR",
		"America/Argentina/Buenos_Aires": "AR",
		PRC: "CN",
		Japan: "JP",
	};
	for (const [zone, country] of Object.entries(expected)) assert.equal(countryOfZone(zone), country, zone);
});

test("a zone without a country and anything that is no zone are unknown", () => {
	const zones = [
		undefined,
		"",
		"UTC",
		"GMT",
		"Etc/UTC",
		"Etc/GMT+5",
		"EST",
		"CET",
		"PST8PDT",
		"Mars/Olympus",
		"__proto__",
	];
	for (const zone of zones) assert.equal(countryOfZone(zone), "Unknown", String(zone));
});

test("every zone that a browser may report has a country, but for those without a place", () => {
	const placeless = Intl.supportedValuesOf("timeZone").filter((zone) => countryOfZone(zone) === "Unknown");
	assert.deepEqual(
		placeless.filter((zone) => zone.includes("/") && !zone.startsWith("Etc/")),
		[],
	);
});

test("countries have English names", () => {
	assert.equal(countryName("ES"), "Spain");
	assert.equal(countryName("US"), "United States of America");
	assert.equal(countryName("BV"), "Bouvet Island");
	assert.equal(countryName("Unknown"), "Unknown");
});

test("the zones on offer are valid, sorted, unique, and UTC is one of them", () => {
	const choices = zoneChoices();
	const names = choices.map(({ timezone }) => timezone);
	assert.deepEqual(names, [...new Set(names)].sort());
	for (const name of names) assert.ok(new Intl.DateTimeFormat("en", { timeZone: name }));
	assert.deepEqual(
		choices.find(({ timezone }) => timezone === "Europe/Madrid"),
		{ timezone: "Europe/Madrid", country_code: "ES", country_name: "Spain" },
	);
	assert.deepEqual(
		choices.filter(({ country_code }) => country_code === "Unknown"),
		[{ timezone: "UTC", country_code: "Unknown", country_name: "Unknown" }],
	);
	for (const name of ["Asia/Kolkata", "Europe/Stockholm", "America/Los_Angeles"]) assert.ok(names.includes(name), name);
	for (const name of ["Asia/Calcutta", "US/Pacific", "Etc/GMT+5", "EST"]) assert.ok(!names.includes(name), name);
});
