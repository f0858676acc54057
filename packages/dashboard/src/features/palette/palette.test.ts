import assert from "node:assert/strict";
import { test } from "node:test";
import { find } from "./find.ts";
import { type Candidate, meaningsOf, readWish } from "./wishes.ts";

test("names are found by any of their words and by their hint, without accents and case; those that begin with it come first, then words", () => {
	const things = [
		{ label: "Tienda de gatos", hint: "gatos.example" },
		{ label: "Última semana" },
		{ label: "Workshop" },
		{ label: "Cat shop", hint: "shop.example" },
		{ label: "Shop", hint: "s.example" },
		{ label: "People", words: "invite users" },
	];
	for (const [query, found] of [
		["gatos tien", ["Tienda de gatos"]],
		["s.example", ["Tienda de gatos", "Shop"]],
		["zebra", []],
		["invite", ["People"]],
		["shop", ["Shop", "Cat shop", "Workshop"]],
		["ULTIMA", ["Última semana"]],
		[" ", ["Tienda de gatos", "Última semana", "Workshop", "Cat shop", "Shop", "People"]],
	] as const)
		assert.deepEqual(
			find(query, things).map(({ label }) => label),
			found,
		);
});

const periods = [
	{ period: "last_month", names: ["Last month", "Mes pasado"] },
	{ period: "7d", names: ["Last 7 days", "7 days", "7d"] },
] as const;

test("a period is read out of what is typed, wherever it stands, and the rest names values", () => {
	for (const [typed, words, period] of [
		["google mobile last month", ["google", "mobile"], "last_month"],
		["7d Google", ["google"], "7d"],
		["last 7 days", [], "7d"],
		["móvil mes pasado", ["movil"], "last_month"],
		["last", ["last"], undefined],
	] as const)
		assert.deepEqual(readWish(typed, periods), { words, period });
});

const value = (field: Candidate["field"], name: string, weight: number, shown = name): Candidate => ({
	...{ field, value: name, shown, weight },
});
const known = [
	value("utm_source", "google", 90),
	value("referrer_domain", "google.com", 80),
	value("device_type", "mobile", 70, "Mobile"),
	value("country", "US", 60, "United States"),
	value("country", "GB", 50, "United Kingdom"),
	value("utm_campaign", "google-mobile", 1),
];

test("each word may name a value, and neighbours one together; what fits best and is frequent comes first", () => {
	const meant = (...words: readonly string[]) =>
		meaningsOf(words, known, 4).map((values) => values.map(({ field, value: name }) => `${field}=${name}`).join(" "));
	assert.deepEqual(meant("google"), ["utm_source=google", "referrer_domain=google.com", "utm_campaign=google-mobile"]);
	assert.equal(meant("united", "kingdom", "mobile")[0], "country=GB device_type=mobile");
	assert.deepEqual(meant("google", "mobile").slice(0, 2), [
		"utm_campaign=google-mobile",
		"utm_source=google device_type=mobile",
	]);
	assert.deepEqual([meant("google", "zebra"), meant()], [[], []]);
});
