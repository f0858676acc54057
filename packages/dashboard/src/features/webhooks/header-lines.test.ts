import assert from "node:assert/strict";
import { test } from "node:test";
import { headersOf, linesOf } from "./header-lines.ts";

test("headers are a line each, and come back as they were", () => {
	const headers = { "X-Token": "a: b", "X-Empty": "" };
	assert.equal(linesOf(headers), "X-Token: a: b\nX-Empty: ");
	assert.deepEqual(headersOf(linesOf(headers)), headers);
	assert.deepEqual(headersOf("\n X-Token :  abc \n\nX-Alone\n"), { "X-Token": "abc", "X-Alone": "" });
	assert.deepEqual(headersOf(""), {});
});
