import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type TSchema, Type } from "typebox";
import { ServiceError } from "../errors/service-error.ts";
import { coerceTexts, trimTexts } from "./coerce.ts";
import { parseQueryString } from "./create-http-app.ts";
import { pageOf } from "./envelope.ts";
import { Nullable, OneOf } from "./schemas.ts";
import { compileValidator, findControlCharacters } from "./validate.ts";

test("any whole number that is written plainly is read back; any other text stays text", () => {
	const schema = { properties: { whole: { type: "integer" } } };
	fc.assert(
		fc.property(fc.integer(), (value) => assert.equal(coerceTexts(schema, { whole: String(value) }).whole, value)),
	);
	for (const text of ["", " ", "1.0", "1e3", "0x10", "+1", "1_000", "٣", "9".repeat(16), "NaN"]) {
		assert.equal(coerceTexts(schema, { whole: text }).whole, text);
	}
});

test("values of a query string are read back, trimmed; trimming reaches every text of a body", () => {
	fc.assert(
		fc.property(fc.array(fc.tuple(fc.string({ minLength: 1 }), fc.string())), (pairs) => {
			const query = parseQueryString(new URLSearchParams(pairs).toString());
			for (const [name, value] of pairs) {
				const key = name.endsWith("[]") ? name.slice(0, -2) : name;
				assert.ok([query[key]].flat().includes(value.toWellFormed().trim()));
			}
		}),
	);
	const trimmed = trimTexts({ a: " x ", " b ": [" y", { c: "\tz\n" }], n: 1, t: true, nil: null });
	assert.deepEqual(trimmed, { a: "x", " b ": ["y", { c: "z" }], n: 1, t: true, nil: null });
});

test("a control character anywhere in a body is found and its field named, unless the schema admits it", () => {
	const Body = Type.Object({
		name: Type.String(),
		notes: Type.Union([Type.String({ "x-characters": "lines" }), Type.Null()]),
		list: Type.Array(Type.Object({ value: Type.String(), seen: Type.String({ "x-characters": "any" }) })),
		filters: Type.Object({}, { "x-characters": "any" }),
	});
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
		[{ notes: "one\r\n\ttwo" }, undefined],
		[{ notes: "one\u0000" }, "body.notes"],
		[{ list: [{ value: "fine", seen: "\u0000" }] }, undefined],
		[{ list: [{ value: "\u0000", seen: "fine" }] }, "body.list.0.value"],
		[{ filters: { "utm\t": "\u0000" } }, undefined],
	];
	for (const [value, field] of found) {
		assert.equal(findControlCharacters(value, Body, "body")?.field, field, JSON.stringify(value));
	}
});

test("a page knows whether others come before and after it, and is empty past the end", () => {
	const table: readonly [page: number, rows: number[], total: number, before: boolean, after: boolean][] = [
		[1, [1, 2], 5, false, true],
		[2, [3, 4], 5, true, true],
		[3, [5], 5, true, false],
		[1, [1, 2], 2, false, false],
		[1, [], 0, false, false],
		[9, [], 5, true, false],
	];
	for (const [page, data, total, has_prev, has_next] of table) {
		const expected = { data, total, page, page_size: 2, has_next, has_prev };
		assert.deepEqual(pageOf(data, { total, page, pageSize: 2 }), expected);
	}
});

function faultsOf(schema: TSchema, httpPart: "body" | "querystring", value: unknown) {
	const check = compileValidator({ schema, httpPart, method: "POST", url: "/things" });
	const { error } = check(value) as { error?: unknown };
	assert.ok(error instanceof ServiceError && error.detail !== undefined);
	return error.detail.map(({ field, message, type }) => `${field} ${message} (${type})`);
}

test("a value of several forms is told all of them when it has none, else what its form lacks; each item is told apart", () => {
	const Texts = Type.Union([Type.String({ maxLength: 3 }), Type.Array(Type.String(), { minItems: 1 })]);
	const Body = Type.Object({
		texts: Type.Optional(Texts),
		hours: Type.Optional(Type.Union([Type.Integer({ maximum: 23 }), Type.Array(Type.Integer({ maximum: 23 }))])),
		note: Type.Optional(Nullable(Type.String({ maxLength: 3 }))),
		list: Type.Optional(Type.Array(Type.Object({ value: Texts }))),
		version: Type.Optional(Type.Literal(1)),
		days: Type.Optional(Type.Array(Type.Integer(), { uniqueItems: true })),
	});
	const list = Array.from({ length: 12 }, (_, at) => ({ value: at === 1 || at === 11 ? [] : at === 3 ? 3 : "a" }));
	const formless = [1, null, {}, true].map((texts): [object, string[]] => [
		{ texts },
		["body.texts must be string or array (string_type)"],
	]);
	const faults: [value: object, faults: string[]][] = [
		...formless,
		[{ note: 1 }, ["body.note must be string or null (string_type)"]],
		[{ texts: [] }, ["body.texts must NOT have fewer than 1 items (minItems)"]],
		[{ note: "long" }, ["body.note must NOT have more than 3 characters (maxLength)"]],
		[{ texts: ["a", 1] }, ["body.texts.1 must be string (string_type)"]],
		[{ hours: 24 }, ["body.hours must be <= 23 (maximum)"]],
		[{ hours: [1, 24, "5"] }, ["body.hours.1 must be <= 23 (maximum)", "body.hours.2 must be integer (integer_type)"]],
		[
			{ list },
			[
				"body.list.1.value must NOT have fewer than 1 items (minItems)",
				"body.list.3.value must be string or array (string_type)",
				"body.list.11.value must NOT have fewer than 1 items (minItems)",
			],
		],
		[{ version: 2 }, ["body.version must be 1 (const)"]],
		[{ days: [3, 1, 3] }, ["body.days must not have an item twice; items 0 and 2 are the same (uniqueItems)"]],
	];
	for (const [value, expected] of faults) assert.deepEqual(faultsOf(Body, "body", value), expected);
});

test("a format is named, and a parameter that takes one value and is repeated is told so", () => {
	const Query = Type.Object({
		country: Type.Optional(Type.String()),
		page: Type.Optional(Type.Integer()),
		include: Type.Optional(Type.Array(OneOf(["os"]))),
		day: Type.Optional(Type.String({ format: "date" })),
		id: Type.Optional(Type.String({ format: "uuid" })),
	});
	const query = { country: ["ES", "FR"], page: ["1", "2"], include: ["os", "x"], day: "2026-02-30", id: "7" };
	assert.deepEqual(faultsOf(Query, "querystring", query), [
		"query.country must be given once (string_type)",
		"query.page must be given once (integer_type)",
		"query.include.1 must be one of os (enum)",
		"query.day must be a date, YYYY-MM-DD (format)",
		"query.id must be a UUID (format)",
	]);
});
