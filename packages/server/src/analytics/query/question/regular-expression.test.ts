import assert from "node:assert/strict";
import { test } from "node:test";
import { isRegularExpression } from "./regular-expression.ts";

test("an expression is one that the engine takes too", () => {
	for (const pattern of ["", "^/a{1,3}$", "\\p{Greek}", "\\P{^Lu}\\pN", "(?P<a>x)", "[[:alpha:]]", "\\Q(\\E"]) {
		assert.equal(isRegularExpression(pattern), true, pattern);
	}
	for (const pattern of ["(", "(?=a)", "\\1", "a**", "x{1001}", "a\0b", "a".repeat(1001)]) {
		assert.equal(isRegularExpression(pattern), false, pattern.slice(0, 20));
	}
});

test("a Unicode class that the engine does not know is refused, unless it is quoted", () => {
	for (const pattern of ["\\p{Emoji}", "[a\\P{Alphabetic}]", "\\p{^White_Space}", "\\\\\\p{LC}"]) {
		assert.equal(isRegularExpression(pattern), false, pattern);
	}
	for (const pattern of ["\\\\p{1}", "\\Q\\p{Emoji}\\E", "\\Q\\p{Emoji}"]) {
		assert.equal(isRegularExpression(pattern), true, pattern);
	}
});
