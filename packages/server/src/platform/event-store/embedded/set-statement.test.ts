import assert from "node:assert/strict";
import { test } from "node:test";
import { setStatement } from "./set-statement.ts";

test("values become string literals that cannot end early", () => {
	assert.equal(
		setStatement(
			new Map([
				["max_threads", "2"],
				["param_a", "it's \\' ; DROP TABLE t"],
			]),
		),
		"SET max_threads='2', param_a='it\\'s \\\\\\' ; DROP TABLE t'",
	);
	assert.equal(setStatement(new Map()), "");
});

test("a name that is not an identifier is refused", () => {
	assert.throws(() => setStatement(new Map([["a=1, b", "x"]])), /Not the name/);
	assert.throws(() => setStatement(new Map([["", "x"]])), /Not the name/);
});
