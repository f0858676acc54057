import assert from "node:assert/strict";
import { test } from "node:test";
import { compilePattern } from "./search-pattern.ts";

test("an expression of up to 500 instructions compiles, and one that is larger or no RE2 syntax does not", () => {
	for (const pattern of ["a{498}", "^(([a-z])+.)+[A-Z]([a-z])+$", "(x+x+)+y", "(a|a)*b", "(.*)*x", "(a{0,9}){0,9}$"]) {
		assert.ok(compilePattern(pattern), pattern);
	}
	const refused = ["a{499}", "(.{1,500}){2}", "(a{0,90}){0,90}", "(", "(?=x)", "(a)\\1", "a{2,1}", "[z-a]", "*"];
	for (const pattern of refused) assert.equal(compilePattern(pattern), undefined, pattern);
});
