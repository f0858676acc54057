import assert from "node:assert/strict";
import { test } from "node:test";
import { countryName, countryOfZone, zoneChoices } from "./country-of-zone.ts";

const zones: Readonly<Record<string, string>> = {
	ES: "Europe/Madrid",
	GB: "Europe/London",
	SE: "Europe/Stockholm",
	US: "America/New_York US/Pacific",
	IN: "Asia/Kolkata Asia/Calcutta",
	UA: "Europe/Kiev",
	VN: "Asia/Saigon",
	AR: "America/Buenos_Aires America/Argentina/Buenos_Aires",
	CN: "PRC",
	JP: "Japan",
	Unknown: " UTC GMT Etc/UTC Etc/GMT+5 EST CET PST8PDT Mars/Olympus __proto__",
};

test("a zone stands for its country, under its old names too; one without a country, and what is none, is unknown", () => {
	for (const [country, names] of Object.entries(zones)) {
		for (const zone of names.split(" ")) assert.equal(countryOfZone(zone), country, zone);
	}
	assert.equal(countryOfZone(undefined), "Unknown");
});

test("every zone that a browser may report has a country, but for those without a place; countries have English names", () => {
	const places = Intl.supportedValuesOf("timeZone").filter((zone) => zone.includes("/") && !zone.startsWith("Etc/"));
	for (const zone of places) assert.notEqual(countryOfZone(zone), "Unknown", zone);
	const names = ["Spain", "United States of America", "Bouvet Island", "Unknown"];
	assert.deepEqual(["ES", "US", "BV", "Unknown"].map(countryName), names);
});

test("the zones on offer are valid, sorted, unique, and UTC is one of them", () => {
	const choices = zoneChoices();
	const names = choices.map(({ timezone }) => timezone);
	assert.deepEqual(names, [...new Set(names)].sort());
	for (const name of names) assert.ok(new Intl.DateTimeFormat("en", { timeZone: name }));
	const some = choices.filter(
		({ timezone, country_code }) => timezone === "Europe/Madrid" || country_code === "Unknown",
	);
	assert.deepEqual(some, [
		{ timezone: "Europe/Madrid", country_code: "ES", country_name: "Spain" },
		{ timezone: "UTC", country_code: "Unknown", country_name: "Unknown" },
	]);
	for (const name of ["Asia/Kolkata", "Europe/Stockholm", "America/Los_Angeles"]) assert.ok(names.includes(name), name);
	for (const name of ["Asia/Calcutta", "US/Pacific", "Etc/GMT+5", "EST"]) assert.ok(!names.includes(name), name);
});
