import assert from "node:assert/strict";
import { test } from "node:test";
import { destination } from "./destination.ts";
import { keptRules } from "./password-policy.ts";

test("after signing in one is back where one wanted to be, and no address leads out of the service", () => {
	const origin = "https://stats.example";
	assert.equal(destination("?next=%2Fsites%2Fshop%3Fperiod%3D7d", origin), "/sites/shop?period=7d");
	assert.equal(destination("", origin), "/");
	for (const next of [
		"https://evil.example/",
		"//evil.example",
		"/\\evil.example",
		"javascript:alert(1)",
		"/\t/evil.example",
	])
		assert.equal(destination(`?next=${encodeURIComponent(next)}`, origin), "/", next);
});

test("a password has 12 to 128 characters as people count them, more than one of a kind, and not the local part of the address", () => {
	const broken = (password: string, email = "jonas@example.com") =>
		Object.entries(keptRules(password, email)).flatMap(([rule, isKept]) => (isKept ? [] : rule));
	for (const [password, rules] of [
		["elevenchars", ["length"]],
		["twelve chars", []],
		["  twelve char  ", ["length"]],
		["漢字漢字漢字漢字漢字漢字", []],
		["a blue b".repeat(16), []],
		[`${"a blue b".repeat(16)}c`, ["length"]],
		["I am JONAS the second", ["local"]],
		["aaaaaaaaaaaaaa", ["repeats"]],
		["", ["length", "local", "repeats"]],
	] as const)
		assert.deepEqual(broken(password), rules, password);
	// The local part counts from four characters on.
	assert.deepEqual(broken("I am Ann the second", "ann@example.com"), []);
});
