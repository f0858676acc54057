import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { cutText } from "./clean-text.ts";
import { parsePageAddress, parseQuery, parseReferrer } from "./page-address.ts";

const parts = (address: string) => {
	const page = parsePageAddress(address);
	return page && [page.host, page.path, page.query];
};

test("host and query are read as they were sent, the path in its one form", () => {
	assert.deepEqual(parts("https://example.com/a%20b/../c/%c3%b1?x=1&y#top"), [
		"example.com",
		"/a%20b/../c/%C3%B1",
		"x=1&y",
	]);
	assert.deepEqual(parts("HTTP://Example.COM:8080/A"), ["example.com", "/A", ""]);
	assert.deepEqual(parts("//example.com/a"), ["example.com", "/a", ""]);
	assert.deepEqual(parts("https://example.com/a//b/"), ["example.com", "/a//b/", ""]);
	assert.deepEqual(parts("https://example.com/a?b?c=/d"), ["example.com", "/a", "b?c=/d"]);
});

test("an empty path is a slash", () => {
	assert.deepEqual(parts("https://example.com"), ["example.com", "/", ""]);
	assert.deepEqual(parts("https://example.com?x=1"), ["example.com", "/", "x=1"]);
	assert.deepEqual(parts("https://example.com#x?y=1"), ["example.com", "/", ""]);
});

test("one leading www., the port, the user and a closing dot do not belong to the host", () => {
	assert.equal(parsePageAddress("https://www.example.com/")?.host, "example.com");
	assert.equal(parsePageAddress("https://www.www.example.com/")?.host, "www.example.com");
	assert.equal(parsePageAddress("https://me:pw@www.example.com:443/")?.host, "example.com");
	assert.equal(parsePageAddress("https://example.com./")?.host, "example.com");
	assert.equal(parsePageAddress("http://localhost:3000/")?.host, "localhost");
	assert.equal(parsePageAddress("http://[::1]:3000/")?.host, "[::1]");
	assert.equal(parsePageAddress("https://wwwexample.com/")?.host, "wwwexample.com");
});

test("an international host is compared as punycode", () => {
	assert.equal(parsePageAddress("https://www.MÜNCHEN.example/")?.host, "xn--mnchen-3ya.example");
});

test("what is no web address is refused", () => {
	for (const address of [
		"",
		"/",
		"about:blank",
		"file:///etc",
		"javascript:1",
		"example.com/a",
		"https://",
		"https:///a",
	]) {
		assert.equal(parsePageAddress(address), undefined, address);
	}
	for (const host of ["a b.com", "a<b.com", ".", "-", "a%00.com", `${"a".repeat(260)}.com`, "é".repeat(300)]) {
		assert.equal(parsePageAddress(`https://${host}/`), undefined, host);
	}
});

test("a backslash ends the host, as it does in a browser", () => {
	assert.equal(parsePageAddress("https://evil.example\\@good.example/")?.host, "evil.example");
});

test("the path is cut at 1,024 characters, never within one", () => {
	assert.equal(parsePageAddress(`https://example.com/${"a".repeat(2000)}`)?.path.length, 1024);
	const path = parsePageAddress(`https://example.com/${"a".repeat(1022)}😀`)?.path;
	assert.equal(path?.length, 1023);
	assert.equal(path?.isWellFormed(), true);
	assert.equal(cutText("ab😀", 3), "ab");
	assert.equal(cutText("ab😀", 4), "ab😀");
});

test("a referrer may be an Android app", () => {
	assert.equal(parseReferrer("android-app://com.google.android.gm/")?.host, "com.google.android.gm");
	assert.equal(parseReferrer("https://www.google.com/")?.host, "google.com");
	assert.equal(parseReferrer("chrome-extension://abc/"), undefined);
	assert.equal(parseReferrer(""), undefined);
	assert.equal(parseReferrer(undefined), undefined);
});

test("parameters are decoded, broken escapes kept, and the first value that is not empty counts", () => {
	const params = parseQuery("a=1+2&b=%C3%B1&c=%E0%A4%A&d=&d=x&d=y&e&=f&a%5B%5D=g&h=i=j");
	assert.deepEqual(
		[...params].filter(([name]) => name !== "c"),
		[
			["a", "1 2"],
			["b", "ñ"],
			["d", "x"],
			["a[]", "g"],
			["h", "i=j"],
		],
	);
	assert.equal(typeof params.get("c"), "string");
	assert.equal(parseQuery("").size, 0);
});

test("host, path and query of any valid address are those that the platform finds", () => {
	fc.assert(
		fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (address) => {
			const page = parsePageAddress(address);
			const url = new URL(address);
			assert.equal(page?.host, url.hostname.replace(/^www\./, ""));
			// The platform rewrites an apostrophe; we keep what was sent.
			assert.equal(page?.query.replaceAll("'", "%27"), url.search.slice(1));
			if (!address.includes("/.") && !address.includes("%2")) assert.equal(page?.path, url.pathname.slice(0, 1024));
		}),
	);
});

test("parameters are those that the platform finds", () => {
	const pairs = fc.array(fc.tuple(fc.string({ minLength: 1 }), fc.string({ minLength: 1 })), { maxLength: 20 });
	fc.assert(
		fc.property(pairs, (entries) => {
			const expected = new Map<string, string>();
			for (const [name, value] of entries) {
				if (!expected.has(name) && value.trim() !== "") expected.set(name, value.trim());
			}
			assert.deepEqual(parseQuery(new URLSearchParams(entries).toString()), expected);
		}),
	);
});

test("a parameter never holds a NUL, which keeps campaign values apart where they are stored", () => {
	assert.deepEqual(
		[...parseQuery("utm_source=a%00b&utm_medium=%00&utm_term=%00%20c")],
		[
			["utm_source", "ab"],
			["utm_term", "c"],
		],
	);
});

test("no text makes the parsers throw", () => {
	fc.assert(
		fc.property(fc.string({ unit: "binary" }), (text) => {
			parseReferrer(text);
			parsePageAddress(`https://${text}`);
			parseQuery(text);
		}),
	);
});
