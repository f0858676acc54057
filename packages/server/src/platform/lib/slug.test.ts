import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { numberedSlug, slugOf } from "./slug.ts";

test("a slug keeps letters and digits and drops accents", () => {
	assert.equal(slugOf("Café Zürich & Söhne", "site"), "cafe-zurich-sohne");
	assert.equal(slugOf("  My Shop!  ", "site"), "my-shop");
});

test("a name without usable characters gets the prefix", () => {
	assert.equal(slugOf("日本語", "site"), "site");
	assert.equal(slugOf("ab", "site"), "site-ab");
});

test("a slug is never 24 hexadecimal characters", () => {
	assert.equal(slugOf("0123456789abcdef01234567", "site"), "site-0123456789abcdef01234567");
});

test("a taken slug is numbered from 2 on", () => {
	assert.equal(numberedSlug("shop", new Set()), "shop");
	assert.equal(numberedSlug("shop", new Set(["shop"])), "shop-2");
	assert.equal(numberedSlug("shop", new Set(["shop", "shop-2", "shop-4"])), "shop-3");
});

test("any name gives 3 to 64 characters of [a-z0-9-]", () => {
	fc.assert(
		fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (name) => {
			const slug = numberedSlug(slugOf(name, "site"), new Set([slugOf(name, "site")]));
			assert.match(slug, /^[a-z0-9][a-z0-9-]{2,63}$/);
		}),
	);
});
