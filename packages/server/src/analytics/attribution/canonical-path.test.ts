import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { canonicalPath, readablePath, storedPath } from "./canonical-path.ts";

const paths: [given: string, canonical: string, readable: string][] = [
	["/%C3%A9t%C3%A9/", "/%C3%A9t%C3%A9/", "/été/"],
	["/%c3%a9t%c3%a9/", "/%C3%A9t%C3%A9/", "/été/"],
	["/été/", "/%C3%A9t%C3%A9/", "/été/"],
	["/hand%2Dmade", "/hand-made", "/hand-made"],
	["/%7Elea/%5f%2e", "/~lea/_.", "/~lea/_."],
	["/rugs%2fwool", "/rugs%2Fwool", "/rugs%2Fwool"],
	["/%CE%BD%CE%AE%CE%BC%CE%B1%CF%84%CE%B1", "/%CE%BD%CE%AE%CE%BC%CE%B1%CF%84%CE%B1", "/νήματα"],
	["/%E7%B5%A8%E6%AF%AF/%E5%B0%8F", "/%E7%B5%A8%E6%AF%AF/%E5%B0%8F", "/絨毯/小"],
	["/na%EFve", "/na%EFve", "/na%EFve"],
	["/30%-off", "/30%-off", "/30%-off"],
	["/a b%20c%25", "/a b%20c%25", "/a b%20c%25"],
	["/\u{1F9F6}", "/%F0%9F%A7%B6", "/\u{1F9F6}"],
	["/e\u0301/\u00e9", "/e%CC%81/%C3%A9", "/e\u0301/\u00e9"],
	["/A/a", "/A/a", "/A/a"],
];

test("a path has one form, and one in which it is read", () => {
	for (const [given, canonical, readable] of paths) {
		assert.equal(canonicalPath(given), canonical, given);
		assert.equal(readablePath(canonical), readable, given);
	}
});

test("the one form stays as it is, and what is read leads back to it", () => {
	const anEscape = fc.integer({ min: 0, max: 255 }).map((byte) => `%${byte.toString(16).padStart(2, "0")}`);
	const path = fc.array(fc.oneof(anEscape, fc.string({ unit: "binary" }), fc.constantFrom("/", "%", "%C3")));
	fc.assert(
		fc.property(path, (parts) => {
			const canonical = canonicalPath(parts.join(""));
			assert.equal(canonicalPath(canonical), canonical);
			assert.equal(canonicalPath(readablePath(canonical)), canonical);
		}),
	);
});

test("a path is cut at 1,024 characters, never within an escaped one", () => {
	for (const character of ["é", "絨", "\u{1F9F6}"]) {
		for (let before = 1000; before < 1026; before++) {
			const path = storedPath(`/${"a".repeat(before)}${character.repeat(4)}`);
			assert.ok(path.length <= 1024 && path.length > 1024 - 13, `${path.length}`);
			assert.ok(decodeURIComponent(path).isWellFormed());
		}
	}
});
