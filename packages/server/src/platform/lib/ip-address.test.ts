import assert from "node:assert/strict";
import { SocketAddress } from "node:net";
import { test } from "node:test";
import { canonicalIp, formatIpRange, parseIpAddress, parseIpRange } from "./ip-address.ts";
import { indexIpRanges } from "./ip-range-index.ts";

const canonicalRange = (text: string) => {
	const range = parseIpRange(text);
	return range && formatIpRange(range);
};

test("an address has one way to be written, whichever form it came in", () => {
	const forms: Record<string, string> = {
		"192.0.2.1": "192.0.2.1",
		"::ffff:192.0.2.1": "192.0.2.1",
		"::FFFF:c000:201": "192.0.2.1",
		"0:0:0:0:0:ffff:192.0.2.1": "192.0.2.1",
		"2001:DB8::1": "2001:db8::1",
		"2001:0db8:0000:0000:0000:0000:0000:0001": "2001:db8::1",
		"2001:db8:0:0:1:0:0:1": "2001:db8::1:0:0:1",
		"2001:db8:0:1:1:1:1:1": "2001:db8:0:1:1:1:1:1",
		"1:0:0:2:0:0:0:3": "1:0:0:2::3",
		"::": "::",
		"::1": "::1",
		"1::": "1::",
		"fe80::1%eth0": "fe80::1",
		"64:ff9b::192.0.2.33": "64:ff9b::c000:221",
		"10:100:0:0:10:1000:0:0": "10:100::10:1000:0:0",
		"100:0:0:0:0:0:0:0": "100::",
	};
	for (const [text, canonical] of Object.entries(forms)) assert.equal(canonicalIp(text), canonical, text);
});

test("what is no address is refused, and so are the forms that readers disagree about", () => {
	for (const text of ["", " ", "192.0.2", "192.0.2.256", "010.0.0.1", "0x7f.0.0.1", "1.2.3.4:80", "[::1]", "1::2::3"]) {
		assert.equal(parseIpAddress(text), undefined, text);
	}
});

test("random IPv6 addresses are written as the operating system writes them", () => {
	let seed = 7;
	const next = () => {
		seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
		return seed;
	};
	for (let round = 0; round < 500; round++) {
		const groups = Array.from({ length: 8 }, () => (next() % 5 < 2 ? 0 : next() % 0x1_0000));
		// Embedded IPv4 addresses are written in two ways; groups that differ from them are not.
		groups[0] = 0x2001;
		const text = groups.map((group) => group.toString(16).padStart(4, "0")).join(":");
		assert.equal(canonicalIp(text), new SocketAddress({ address: text, family: "ipv6" }).address, text);
	}
});

test("a range loses the bits beyond its prefix", () => {
	assert.equal(canonicalRange("10.1.2.3/8"), "10.0.0.0/8");
	assert.equal(canonicalRange("10.1.2.3/32"), "10.1.2.3/32");
	assert.equal(canonicalRange("255.255.255.255/0"), "0.0.0.0/0");
	assert.equal(canonicalRange("2001:db8:ffff::1/33"), "2001:db8:8000::/33");
	assert.equal(canonicalRange("::ffff:10.1.2.3/104"), "10.0.0.0/8");
	for (const text of [
		"10.0.0.1",
		"10.0.0.1/33",
		"10.0.0.1/08",
		"10.0.0.1/-1",
		"10.0.0.1/8/8",
		"::/129",
		"::ffff:1.2.3.4/95",
	]) {
		assert.equal(canonicalRange(text), undefined, text);
	}
});

test("the narrowest range that holds an address is found, and no other family's", () => {
	const ranges = ["10.0.0.0/8", "10.1.0.0/16", "10.1.2.3/32", "2001:db8::/32", "::/0"];
	const index = indexIpRanges(
		ranges.flatMap((text) => {
			const range = parseIpRange(text);
			return range === undefined ? [] : [[range, text] as const];
		}),
	);
	const find = (text: string) => {
		const address = parseIpAddress(text);
		return address && index.find(address);
	};
	assert.equal(find("10.1.2.3"), "10.1.2.3/32");
	assert.equal(find("::ffff:10.1.2.3"), "10.1.2.3/32");
	assert.equal(find("10.1.2.4"), "10.1.0.0/16");
	assert.equal(find("10.2.0.1"), "10.0.0.0/8");
	assert.equal(find("11.0.0.1"), undefined);
	assert.equal(find("2001:db8::5"), "2001:db8::/32");
	assert.equal(find("2001:db9::5"), "::/0");
});
