import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { normalizeDomain } from "./normalize-domain.ts";
import { normalizeTimezone } from "./normalize-timezone.ts";

const stored = (text: string, allowLocalhost = false): string => {
	try {
		return normalizeDomain(text, { allowLocalhost });
	} catch (error) {
		assert.ok(error instanceof ServiceError);
		return error.code;
	}
};

test("a domain is stored without scheme, path, port and leading www., lower-case and as punycode", () => {
	const cases = {
		"example.com": "example.com",
		" Example.COM ": "example.com",
		"https://www.example.com:8443/path?x=1#y": "example.com",
		"//shop.example.com/": "shop.example.com",
		"example.com.": "example.com",
		"www.www.example.com": "www.example.com",
		"bücher.example": "xn--bcher-kva.example",
		"例え.テスト": "xn--r8jz45g.xn--zckzah",
		"a-b.c1.example": "a-b.c1.example",
	};
	for (const [text, expected] of Object.entries(cases)) assert.equal(stored(text), expected, text);
});

test("what is no host name is refused", () => {
	const texts = [
		"",
		"com",
		"localhost",
		"127.0.0.1",
		"1.2.3",
		"[::1]",
		"::1",
		"http://",
		"a b.example",
		"*.example.com",
	];
	const more = ["-a.example", "a-.example", "a..example", ".example.com", "user@example.com", "x_y.example", "a.123"];
	for (const text of [...texts, ...more, `${"a".repeat(64)}.example`, `${"a.".repeat(130)}example`]) {
		assert.equal(stored(text), "invalid_domain", text);
	}
});

test("localhost passes where development allows it", () => {
	assert.equal(stored("http://localhost:5173", true), "localhost");
	assert.equal(stored("127.0.0.1", true), "invalid_domain");
});

test("the stored form is its own stored form", () => {
	fc.assert(
		fc.property(fc.domain(), (domain) => {
			const once = stored(domain);
			if (once.startsWith("www.")) return;
			assert.equal(once, "invalid_domain" === once ? once : stored(once));
		}),
	);
});

const zone = (text: string): string => {
	try {
		return normalizeTimezone(text);
	} catch (error) {
		assert.ok(error instanceof ServiceError);
		return error.code;
	}
};

test("a time zone is an IANA name, in any case", () => {
	assert.equal(zone("UTC"), "UTC");
	assert.equal(zone("europe/madrid"), "Europe/Madrid");
	assert.equal(zone("Asia/Kolkata"), "Asia/Kolkata");
	assert.equal(zone("Asia/Calcutta"), "Asia/Calcutta");
	for (const text of ["Mars/Olympus", "+01:00", "Europe", "", "Europe/Madrid "]) {
		assert.equal(zone(text), "invalid_timezone", text);
	}
});
