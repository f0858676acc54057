import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { served } from "./stage.ts";

const built = readFileSync(new URL("../dist/tracker.js", import.meta.url));

test("the tracker weighs at most 800 bytes gzipped, filled in for a typical site too", (t) => {
	const file = gzipSync(built, { level: 9 }).length;
	const filledIn = gzipSync(served(new URLSearchParams("id=my-shop")), { level: 9 }).length;
	t.diagnostic(`tracker: ${file} bytes gzipped as built, ${filledIn} as served`);
	assert.ok(file <= 800, `${file} bytes as built`);
	assert.ok(filledIn <= 800, `${filledIn} bytes as served`);
});

test("the tracker touches no cookie and no storage", () => {
	assert.doesNotMatch(built.toString(), /cookie|storage|indexedDB|caches/i);
});
