import assert from "node:assert/strict";
import { test } from "node:test";
import { find } from "./find.ts";

const things = [
	{ label: "Tienda de gatos", hint: "gatos.example" },
	{ label: "Última semana" },
	{ label: "Cat shop", hint: "shop.example" },
	{ label: "Shop", hint: "s.example" },
];
const found = (query: string) => find(query, things).map(({ label }) => label);

test("names are found by any of their words, and by their hint", () => {
	assert.deepEqual(found("gatos tien"), ["Tienda de gatos"]);
	assert.deepEqual(found("s.example"), ["Tienda de gatos", "Shop"]);
	assert.deepEqual(found("zebra"), []);
});

test("what begins with the query comes first, then what has a word that does", () => {
	assert.deepEqual(found("shop"), ["Shop", "Cat shop"]);
});

test("accents and case do not matter", () => {
	assert.deepEqual(found("ULTIMA"), ["Última semana"]);
});

test("without a query everything is there, as it was", () => {
	assert.deepEqual(found(" "), ["Tienda de gatos", "Última semana", "Cat shop", "Shop"]);
});
