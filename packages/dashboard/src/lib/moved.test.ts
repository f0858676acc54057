import assert from "node:assert/strict";
import { test } from "node:test";
import { moved } from "./moved.ts";

test("an entry takes another place, and stays where there is none", () => {
	assert.deepEqual(moved(["a", "b", "c"], 0, 2), ["b", "c", "a"]);
	assert.deepEqual(moved(["a", "b", "c"], 2, 1), ["a", "c", "b"]);
	assert.deepEqual(moved(["a", "b", "c"], 0, -1), ["a", "b", "c"]);
	assert.deepEqual(moved(["a", "b", "c"], 2, 3), ["a", "b", "c"]);
});
