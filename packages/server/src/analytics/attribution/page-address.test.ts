import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { explicitCampaign, type UtmMapping } from "./campaign.ts";
import { canonicalPath, readablePath, storedPath } from "./canonical-path.ts";
import { cutText } from "./clean-text.ts";
import { findClickIds } from "./click-ids.ts";
import { isAuthorizedHost, isSameSite } from "./domain-table.ts";
import { parsePageAddress, parseQuery, parseReferrer } from "./page-address.ts";

const addresses: readonly (readonly [address: string, host: string, path: string, query: string])[] = [
	["https://example.com/a%20b/../c/%c3%b1?x=1&y#top", "example.com", "/a%20b/../c/%C3%B1", "x=1&y"],
	["HTTP://Example.COM:8080/A", "example.com", "/A", ""],
	["//example.com/a", "example.com", "/a", ""],
	["https://example.com/a?b?c=/d", "example.com", "/a", "b?c=/d"],
	// An empty path is a slash.
	["https://example.com", "example.com", "/", ""],
	["https://example.com#x?y=1", "example.com", "/", ""],
	// One leading www., the port, the user and a closing dot do not belong to the host.
	["https://www.example.com/", "example.com", "/", ""],
	["https://www.www.example.com/", "www.example.com", "/", ""],
	["https://me:pw@www.example.com:443/", "example.com", "/", ""],
	["https://example.com./", "example.com", "/", ""],
	["http://localhost:3000/", "localhost", "/", ""],
	["http://[::1]:3000/", "[::1]", "/", ""],
	["https://wwwexample.com/", "wwwexample.com", "/", ""],
	// An international host is compared as punycode.
	["https://www.MÜNCHEN.example/", "xn--mnchen-3ya.example", "/", ""],
];

test("host and query are read as they were sent, the path in its one form", () => {
	for (const [address, ...expected] of addresses) {
		const page = parsePageAddress(address);
		assert.deepEqual(page && [page.host, page.path, page.query], expected, address);
	}
	// A backslash ends the host, as it does in a browser.
	assert.equal(parsePageAddress("https://evil.example\\@good.example/")?.host, "evil.example");
});

test("a text that is no web address is refused; a referrer may be an Android app", () => {
	const hosts = ["a b.com", "a<b.com", ".", "-", "a%00.com", `${"a".repeat(260)}.com`, "é".repeat(300)];
	const others = ["", "/", "about:blank", "file:///etc", "javascript:1", "example.com/a", "https://", "https:///a"];
	for (const address of [...others, ...hosts.map((host) => `https://${host}/`)]) {
		assert.equal(parsePageAddress(address), undefined, address);
	}
	assert.equal(parseReferrer("android-app://com.google.android.gm/")?.host, "com.google.android.gm");
	assert.equal(parseReferrer("https://www.google.com/")?.host, "google.com");
	for (const none of ["chrome-extension://abc/", "", undefined]) assert.equal(parseReferrer(none), undefined);
});

test("parameters are decoded without NUL, broken escapes kept, and the first value that is not empty counts", () => {
	const params = parseQuery("a=1+2&b=%C3%B1&c=%E0%A4%A&d=&d=x&d=y&e&=f&a%5B%5D=g&h=i=j&n=a%00b&m=%00&t=%00%20c");
	assert.equal(typeof params.get("c"), "string");
	const { c: _, ...others } = Object.fromEntries(params);
	// A NUL keeps campaign values apart where they are stored.
	assert.deepEqual(others, { a: "1 2", b: "ñ", d: "x", "a[]": "g", h: "i=j", n: "ab", t: "c" });
	assert.equal(parseQuery("").size, 0);
	assert.equal(parseQuery(Array.from({ length: 300 }, (_, n) => `p${n}=1`).join("&")).size, 200);
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

test("no text makes the parsers throw", () => {
	fc.assert(
		fc.property(fc.string({ unit: "binary" }), (text) => {
			parseReferrer(text);
			parsePageAddress(`https://${text}`);
			parseQuery(text);
		}),
	);
});

const paths: readonly (readonly [given: string, canonical: string, readable: string])[] = [
	["/%C3%A9t%C3%A9/", "/%C3%A9t%C3%A9/", "/été/"],
	["/été/", "/%C3%A9t%C3%A9/", "/été/"],
	["/hand%2Dmade", "/hand-made", "/hand-made"],
	["/%7Elea/%5f%2e", "/~lea/_.", "/~lea/_."],
	["/rugs%2fwool", "/rugs%2Fwool", "/rugs%2Fwool"],
	["/%CE%BD%CE%AE%CE%BC%CE%B1%CF%84%CE%B1", "/%CE%BD%CE%AE%CE%BC%CE%B1%CF%84%CE%B1", "/νήματα"],
	["/%E7%B5%A8%E6%AF%AF/%E5%B0%8F", "/%E7%B5%A8%E6%AF%AF/%E5%B0%8F", "/絨毯/小"],
	["/na%EFve", "/na%EFve", "/na%EFve"],
	["/30%-off", "/30%-off", "/30%-off"],
	["/a b%20c%25", "/a b%20c%25", "/a b%20c%25"],
	["/e\u0301/\u00e9", "/e%CC%81/%C3%A9", "/e\u0301/\u00e9"],
];

test("a path has one form, which stays as it is, and one in which it is read, which leads back to it", () => {
	for (const [given, canonical, readable] of paths) {
		assert.equal(canonicalPath(given), canonical, given);
		assert.equal(readablePath(canonical), readable, given);
	}
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

test("a path is cut at 1,024 characters, never within one", () => {
	for (const character of ["é", "絨", "\u{1F9F6}"]) {
		for (let before = 1000; before < 1026; before++) {
			const path = storedPath(`/${"a".repeat(before)}${character.repeat(4)}`);
			assert.ok(path.length <= 1024 && path.length > 1024 - 13, `${path.length}`);
			assert.ok(decodeURIComponent(path).isWellFormed());
		}
	}
	const long = (end: string) => parsePageAddress(`https://example.com/${"a".repeat(1022)}${end}`)?.path;
	assert.deepEqual([long("aaa")?.length, long("😀")?.length], [1024, 1023]);
	assert.deepEqual([cutText("ab😀", 3), cutText("ab😀", 4)], ["ab", "ab😀"]);
});

const campaignOf = (query: string, mappings: readonly UtmMapping[] = []) =>
	explicitCampaign(parseQuery(query), mappings);

test("the five campaign values are taken as they are, up to 255 characters; an address without them has none", () => {
	const [values, empty] = [
		{ utm_source: "News", utm_content: "a&b" },
		{ utm_medium: "", utm_campaign: "", utm_term: "" },
	];
	assert.deepEqual(campaignOf("utm_source=News&utm_content=a%26b&x=1"), { ...values, ...empty });
	assert.equal(campaignOf(`utm_campaign=${"a".repeat(5000)}`)?.utm_campaign.length, 255);
	for (const none of ["", "x=1", "utm_source=&utm_medium=%20", "UTM_Source=x"]) {
		assert.equal(campaignOf(none), undefined, none);
	}
});

test("a mapping fills a field that is not explicitly set", () => {
	const mappings: readonly UtmMapping[] = [
		{ customParam: "src", mapsTo: "utm_source" },
		{ customParam: "from", mapsTo: "utm_source" },
		{ customParam: "kw", mapsTo: "utm_term" },
	];
	for (const [query, source, term = ""] of [
		["src=a", "a"],
		["src=a&utm_source=b", "b"],
		["utm_source=&src=a", "a"],
		["from=b&src=a", "a"],
		["from=b&src=", "b"],
		["SRC=a", undefined],
		["kw=shoes&utm_source=b", "b", "shoes"],
	] as const) {
		const found = campaignOf(query, mappings);
		assert.deepEqual([found?.utm_source, found?.utm_term ?? ""], [source, term], query);
	}
});

test("a click id means its source and medium; several come in the order of the table, empty ones not at all", () => {
	const read = (query: string) =>
		findClickIds(parseQuery(query)).map(({ utm_source, utm_medium, value }) => `${value} ${utm_source} ${utm_medium}`);
	for (const [name, meaning] of Object.entries({
		...{ gclid: "google cpc", gbraid: "google cpc", wbraid: "google cpc", fbclid: "facebook social" },
		...{ msclkid: "bing cpc", yclid: "yandex cpc", ttclid: "tiktok cpc", twclid: "twitter cpc" },
		...{ li_fat_id: "linkedin cpc", ScCid: "snapchat cpc", rdt_cid: "reddit cpc" },
	})) {
		assert.deepEqual(read(`a=b&${name}=Xy-1`), [`Xy-1 ${meaning}`]);
	}
	assert.deepEqual(read("fbclid=f&gclid=g&yclid="), ["g google cpc", "f facebook social"]);
});

test("a domain authorizes itself and its subdomains, nothing that merely ends alike; without domains every host is", () => {
	for (const [host, domains, expected] of [
		["example.com", ["example.com"], true],
		["shop.example.com", ["other.org", "example.com"], true],
		["badexample.com", ["example.com"], false],
		["example.com", ["shop.example.com"], false],
		["example.com.evil.org", ["example.com"], false],
		["anything.example", [], true],
	] as const) {
		assert.equal(isAuthorizedHost(host, domains), expected, `${host} of ${domains}`);
	}
});

test("each authorized domain is the same site; without domains the page's host, its parents and subdomains are", () => {
	for (const [referrer, host, domains, expected] of [
		["example.org", "example.com", ["example.com", "example.org"], true],
		["blog.example.com", "shop.example.com", ["example.com"], true],
		["google.com", "example.com", ["example.com"], false],
		["example.com", "example.com", [], true],
		["shop.example.com", "example.com", [], true],
		["example.com", "shop.example.com", [], true],
		["google.com", "example.com", [], false],
	] as const) {
		assert.equal(isSameSite(referrer, host, domains), expected, `${referrer} to ${host}`);
	}
});
