import assert from "node:assert/strict";
import { test } from "node:test";
import { changesOf, isNothing } from "./changes.ts";

test("a pair is a change, everything else a fact; lists of two are no pair", () => {
	assert.deepEqual(
		changesOf({
			name: ["Shop", "Store"],
			currency: [null, "EUR"],
			scopes: ["a", "b"],
			reason: "x",
			impersonated_by: 1,
		}),
		[
			{ field: "name", kind: "change", before: "Shop", after: "Store" },
			{ field: "currency", kind: "change", before: null, after: "EUR" },
			{ field: "scopes", kind: "fact", value: ["a", "b"] },
			{ field: "reason", kind: "fact", value: "x" },
		],
	);
});

test("null, an empty text and an empty list are nothing; no and zero are something", () => {
	assert.deepEqual([null, undefined, "", []].map(isNothing), [true, true, true, true]);
	assert.deepEqual([false, 0, "x", ["x"]].map(isNothing), [false, false, false, false]);
});
