import assert from "node:assert/strict";
import { test } from "node:test";
import { type Candidate, meaningsOf, readWish } from "./wishes.ts";

const periods = [
	{ period: "last_month", names: ["Last month", "Mes pasado"] },
	{ period: "7d", names: ["Last 7 days", "7 days", "7d"] },
	{ period: "today", names: ["Today"] },
] as const;

test("a period is read out of what is typed, wherever it stands, and the rest names values", () => {
	assert.deepEqual(readWish("google mobile last month", periods), {
		words: ["google", "mobile"],
		period: "last_month",
	});
	assert.deepEqual(readWish("7d Google", periods), { words: ["google"], period: "7d" });
	assert.deepEqual(readWish("last 7 days", periods), { words: [], period: "7d" });
	assert.deepEqual(readWish("móvil mes pasado", periods), { words: ["movil"], period: "last_month" });
	assert.deepEqual(readWish("last", periods), { words: ["last"], period: undefined });
});

const value = (field: Candidate["field"], name: string, weight: number, shown = name): Candidate => ({
	field,
	value: name,
	shown,
	weight,
});
const known = [
	value("utm_source", "google", 90),
	value("referrer_domain", "google.com", 80),
	value("device_type", "mobile", 70, "Mobile"),
	value("country", "US", 60, "United States"),
	value("country", "GB", 50, "United Kingdom"),
	value("utm_campaign", "google-mobile", 1),
];
const meant = (...words: readonly string[]) =>
	meaningsOf(words, known, 4).map((values) => values.map(({ field, value: name }) => `${field}=${name}`).join(" "));

test("each word may name a value, and neighbours one together; what fits best and is frequent comes first", () => {
	assert.deepEqual(meant("google"), ["utm_source=google", "referrer_domain=google.com", "utm_campaign=google-mobile"]);
	assert.deepEqual(meant("united", "kingdom", "mobile").slice(0, 1), ["country=GB device_type=mobile"]);
	assert.deepEqual(meant("google", "mobile").slice(0, 2), [
		"utm_campaign=google-mobile",
		"utm_source=google device_type=mobile",
	]);
	assert.deepEqual(meant("google", "zebra"), []);
	assert.deepEqual(meant(), []);
});
