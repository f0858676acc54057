import assert from "node:assert/strict";
import { test } from "node:test";
import { readPattern, writePattern } from "./pattern.ts";

test("what people write becomes an expression, and is read back as they wrote it", () => {
	const cases = [
		["contains", "partner", "partner"],
		["is", "t.co", "^t\\.co$"],
		["starts_with", "a+b", "^a\\+b"],
		["ends_with", ".example", "\\.example$"],
		["ends_with", "$", "\\$$"],
		["matches", "^(acme|partner)$", "^(acme|partner)$"],
	] as const;
	for (const [how, text, pattern] of cases) {
		assert.equal(writePattern({ how, text }), pattern);
		assert.deepEqual(readPattern(pattern), { how, text });
	}
});

test("no text is no pattern", () => {
	assert.equal(writePattern({ how: "is", text: "" }), null);
	assert.deepEqual(readPattern(null), { how: "contains", text: "" });
});

test("an expression that ends with an escaped sign, or is none, stays as it is", () => {
	assert.deepEqual(readPattern("a\\"), { how: "matches", text: "a\\" });
	assert.deepEqual(readPattern("\\d+"), { how: "matches", text: "\\d+" });
});
