import assert from "node:assert/strict";
import { test } from "node:test";
import { Type } from "typebox";
import { findControlCharacters } from "./control-characters.ts";

const schema = Type.Object({
	name: Type.String(),
	notes: Type.Union([Type.String({ "x-characters": "lines" }), Type.Null()]),
	list: Type.Array(Type.Object({ value: Type.String(), seen: Type.String({ "x-characters": "any" }) })),
	filters: Type.Object({}, { "x-characters": "any" }),
});
const fieldIn = (value: unknown) => findControlCharacters(value, schema, "body")?.field;

test("a control character anywhere in a body is found, and its field named", () => {
	const found: [unknown, string | undefined][] = [
		[{ name: "Ann", other: ["é💛", 7, null, true] }, undefined],
		[{ name: "A\u0000nn" }, "body.name"],
		[{ name: "Ann\nBcc: bob@example.com" }, "body.name"],
		[{ name: "A\tnn" }, "body.name"],
		[{ name: "A\u007fnn" }, "body.name"],
		[{ name: "A\u0085nn" }, "body.name"],
		[{ unknown: { deep: ["fine", "no\u001bt"] } }, "body.unknown.deep.1"],
		[{ "a\u0000b": 1 }, "body"],
		["\u0000", "body"],
	];
	for (const [value, field] of found) assert.equal(fieldIn(value), field, JSON.stringify(value));
});

test("a text of several lines admits tabs and line ends, a value to compare with anything", () => {
	assert.equal(fieldIn({ notes: "one\r\n\ttwo" }), undefined);
	assert.equal(fieldIn({ notes: "one\u0000" }), "body.notes");
	assert.equal(fieldIn({ list: [{ value: "fine", seen: "\u0000" }] }), undefined);
	assert.equal(fieldIn({ list: [{ value: "\u0000", seen: "fine" }] }), "body.list.0.value");
	assert.equal(fieldIn({ filters: { "utm\t": "\u0000" } }), undefined);
});
