import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { coerceTexts, trimTexts } from "./coerce.ts";
import { parseQueryString } from "./query-string.ts";

const schema = {
	properties: {
		whole: { type: "integer" },
		decimal: { type: "number" },
		flag: { type: "boolean" },
		many: { type: "array", items: { type: "integer" } },
		either: { anyOf: [{ type: "integer" }, { type: "null" }] },
		text: { type: "string" },
	},
};

test("any whole number that is written plainly is read back; any other text stays text", () => {
	fc.assert(
		fc.property(fc.integer(), (value) => {
			assert.equal(coerceTexts(schema, { whole: String(value) }).whole, value);
		}),
	);
	for (const text of ["", " ", "1.0", "1e3", "0x10", "+1", "1_000", "٣", "9".repeat(16), "NaN"]) {
		assert.equal(coerceTexts(schema, { whole: text }).whole, text);
	}
});

test("numbers, flags, lists and alternatives follow the schema; unknown names are left out", () => {
	assert.deepEqual(coerceTexts(schema, { decimal: "-1.5", flag: "0", many: "7", either: "3", text: "5", other: "1" }), {
		decimal: -1.5,
		flag: false,
		many: [7],
		either: 3,
		text: "5",
	});
	assert.deepEqual(coerceTexts(schema, { many: ["1", "x"] }).many, [1, "x"]);
});

test("what is written into a query string is read back, trimmed", () => {
	fc.assert(
		fc.property(fc.array(fc.tuple(fc.string({ minLength: 1 }), fc.string())), (pairs) => {
			const query = parseQueryString(new URLSearchParams(pairs).toString());
			for (const [name, value] of pairs) {
				const key = name.endsWith("[]") ? name.slice(0, -2) : name;
				assert.ok([query[key]].flat().includes(value.toWellFormed().trim()));
			}
		}),
	);
});

test("trimming reaches every text of a body and nothing else", () => {
	assert.deepEqual(trimTexts({ a: " x ", " b ": [" y", { c: "\tz\n" }], n: 1, t: true, nil: null }), {
		a: "x",
		" b ": ["y", { c: "z" }],
		n: 1,
		t: true,
		nil: null,
	});
});
