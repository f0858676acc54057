import assert from "node:assert/strict";
import { test } from "node:test";
import { keptRules } from "./password-policy.ts";

const broken = (password: string, email = "jonas@example.com") =>
	Object.entries(keptRules(password, email)).flatMap(([rule, isKept]) => (isKept ? [] : rule));

test("a password has 12 to 128 characters, counted as people count them and without blanks around it", () => {
	assert.deepEqual(broken("elevenchars"), ["length"]);
	assert.deepEqual(broken("twelve chars"), []);
	assert.deepEqual(broken("  twelve char  "), ["length"]);
	assert.deepEqual(broken("漢字漢字漢字漢字漢字漢字"), []);
	assert.deepEqual(broken("a blue b".repeat(16)), []);
	assert.deepEqual(broken(`${"a blue b".repeat(16)}c`), ["length"]);
});

test("a password may not hold the local part of the address, from four characters on", () => {
	assert.deepEqual(broken("I am JONAS the second"), ["local"]);
	assert.deepEqual(broken("I am Ann the second", "ann@example.com"), []);
});

test("one repeated character keeps only the rule of length", () => {
	assert.deepEqual(broken("aaaaaaaaaaaaaa"), ["repeats"]);
	assert.deepEqual(broken(""), ["length", "local", "repeats"]);
});
