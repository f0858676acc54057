import assert from "node:assert/strict";
import { test } from "node:test";
import { destination } from "./destination.ts";

const origin = "https://stats.example";

test("after signing in one is back where one wanted to be", () => {
	assert.equal(destination("?next=%2Fsites%2Fshop%3Fperiod%3D7d", origin), "/sites/shop?period=7d");
	assert.equal(destination("", origin), "/");
});

test("no address leads out of the service", () => {
	for (const next of [
		"https://evil.example/",
		"//evil.example",
		"/\\evil.example",
		"javascript:alert(1)",
		"/\t/evil.example",
	]) {
		assert.equal(destination(`?next=${encodeURIComponent(next)}`, origin), "/", next);
	}
});
