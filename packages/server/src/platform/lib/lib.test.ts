import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { hmacHex, sha256Hex } from "./crypto.ts";
import { csvLine } from "./csv.ts";
import { randomAlphanumeric, randomToken, uuid } from "./ids.ts";
import { canonicalIp, formatIpRange, parseIpAddress, parseIpRange } from "./ip-address.ts";
import { indexIpRanges } from "./ip-range-index.ts";
import { createLane } from "./lane.ts";
import { LruMap } from "./lru-map.ts";
import { createSealer, createValueSealer } from "./sealer.ts";
import { numberedSlug, slugOf } from "./slug.ts";

test("digests are those of the standards", () => {
	assert.equal(sha256Hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	// RFC 4231, test case 2.
	const mac = hmacHex("Jefe", "what do ya want for nothing?");
	assert.equal(mac, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
});

test("random texts have the length and the characters that they promise", () => {
	assert.match(randomAlphanumeric(60), /^[A-Za-z0-9]{60}$/);
	assert.match(randomToken(), /^[A-Za-z0-9_-]{43}$/);
	assert.match(uuid(), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

const first = { secretKey: "a secret of an earlier release, 32 characters", secretKeyPrevious: undefined };
const changing = { secretKey: "another secret, and long enough too", secretKeyPrevious: first.secretKey };
const changed = { ...changing, secretKeyPrevious: undefined };

// Made by the code before `createSealer`: values in stores and mails must stay readable.
const pinned = "zwhnOp_piC2HAd_XEvjnAPGF63NRGhG92GuLsa3ef893hYk";
const pinnedToken = "k_CHe8nlegNHX4v9BztNyq6cZ0UdqjkL44IF0QyKNYEaFCpJOzAc8mRg96e32WY2WJFlR1Lt";

test("a sealed text opens with its key alone and only unchanged", () => {
	const sealer = createSealer(first, "webhook");
	const sealed = sealer.seal("wh_1", "a secret: ü");
	assert.deepEqual([sealer.open("wh_1", sealed), sealer.open("wh_1", pinned)], ["a secret: ü", "whsec_1"]);
	assert.notEqual(sealer.seal("wh_1", "a secret: ü"), sealed);
	assert.equal(sealer.open("wh_2", sealed), undefined);
	assert.equal(sealer.open("wh_1", ""), undefined);
	assert.equal(createSealer(first, "export").open("wh_1", sealed), undefined);
	assert.equal(createSealer(changed, "webhook").open("wh_1", sealed), undefined);
	assert.equal(sealer.open("wh_1", `${sealed.slice(0, -2)}AA`), undefined);
	assert.equal(createValueSealer(first, "mail").open(pinnedToken), undefined);
	assert.equal(sealer.open("wh_1", `${sealed.startsWith("A") ? "B" : "A"}${sealed.slice(1)}`), undefined);
});

test("resealing leaves what the present secret sealed, seals anew what the one before did, and tells what is lost", () => {
	const sealer = createSealer(changing, "webhook");
	const resealed = sealer.reseal("wh_1", pinned);
	assert.ok(resealed !== undefined && resealed !== pinned);
	assert.equal(createSealer(changed, "webhook").open("wh_1", resealed), "whsec_1");
	assert.equal(sealer.reseal("wh_1", resealed), resealed);
	assert.equal(createSealer(changed, "webhook").reseal("wh_1", pinned), undefined);
});

test("a line ends with CRLF, and cells with separators, quotes or line breaks are quoted", () => {
	assert.equal(
		csvLine(["plain", "", "a,b", 'say "hi"', "two\nlines", "two\rlines", "ñ 日本", 0, -5, 10.25]),
		["plain", "", '"a,b"', '"say ""hi"""', '"two\nlines"', '"two\rlines"', "ñ 日本", "0,-5,10.25\r\n"].join(","),
	);
	assert.equal(csvLine([]), "\r\n");
});

test("texts that a spreadsheet would run as a formula are disarmed", () => {
	assert.equal(csvLine(["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "a=b"]), "'=1+1,'+1,'-1,'@SUM(A1),'\tx,a=b\r\n");
	assert.equal(csvLine(["\rx", '=HYPERLINK("a","b")']), `"'\rx","'=HYPERLINK(""a"",""b"")"\r\n`);
});

test("a slug keeps letters and digits, drops accents, and is neither empty nor like an id", () => {
	const slugs = {
		"Café Zürich & Söhne": "cafe-zurich-sohne",
		"  My Shop!  ": "my-shop",
		日本語: "site",
		ab: "site-ab",
		"0123456789abcdef01234567": "site-0123456789abcdef01234567",
	};
	for (const [name, slug] of Object.entries(slugs)) assert.equal(slugOf(name, "site"), slug);
	fc.assert(
		fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (name) => {
			const slug = numberedSlug(slugOf(name, "site"), new Set([slugOf(name, "site")]));
			assert.match(slug, /^[a-z0-9][a-z0-9-]{2,63}$/);
		}),
	);
});

test("a taken slug is numbered from 2 on", () => {
	const taken = [[], ["shop"], ["shop", "shop-2", "shop-4"]];
	const numbered = taken.map((slugs) => numberedSlug("shop", new Set(slugs)));
	assert.deepEqual(numbered, ["shop", "shop-2", "shop-3"]);
});

test("an address has one way to be written, whichever form it came in, and a range loses the bits beyond its prefix", () => {
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
		"10.1.2.3/8": "10.0.0.0/8",
		"10.1.2.3/32": "10.1.2.3/32",
		"255.255.255.255/0": "0.0.0.0/0",
		"2001:db8:ffff::1/33": "2001:db8:8000::/33",
		"::ffff:10.1.2.3/104": "10.0.0.0/8",
	};
	for (const [text, canonical] of Object.entries(forms)) {
		const range = parseIpRange(text);
		assert.equal(range === undefined ? canonicalIp(text) : formatIpRange(range), canonical, text);
	}
});

test("a text that is no address or range is refused, and so are the forms that readers disagree about", () => {
	for (const text of ["", " ", "192.0.2", "192.0.2.256", "010.0.0.1", "0x7f.0.0.1", "1.2.3.4:80", "[::1]", "1::2::3"]) {
		assert.equal(parseIpAddress(text), undefined, text);
	}
	const ranges = "10.0.0.1 10.0.0.1/33 10.0.0.1/08 10.0.0.1/-1 10.0.0.1/8/8 ::/129 ::ffff:1.2.3.4/95".split(" ");
	for (const text of ranges) assert.equal(parseIpRange(text), undefined, text);
});

test("the narrowest range that holds an address is found, and no other family's", () => {
	const ranges = ["10.0.0.0/8", "10.1.0.0/16", "10.1.2.3/32", "2001:db8::/32", "::/0"];
	const index = indexIpRanges(
		ranges.flatMap((text) => {
			const range = parseIpRange(text);
			return range === undefined ? [] : [[range, text] as const];
		}),
	);
	const narrowest = {
		"10.1.2.3": "10.1.2.3/32",
		"::ffff:10.1.2.3": "10.1.2.3/32",
		"10.1.2.4": "10.1.0.0/16",
		"10.2.0.1": "10.0.0.0/8",
		"11.0.0.1": undefined,
		"2001:db8::5": "2001:db8::/32",
		"2001:db9::5": "::/0",
	};
	for (const [text, range] of Object.entries(narrowest)) {
		const address = parseIpAddress(text);
		assert.equal(address && index.find(address), range, text);
	}
});

test("no more tasks run at a time than the lane is wide, and the others follow in order", async () => {
	const lane = createLane(2);
	const started: number[] = [];
	const ends: (() => void)[] = [];
	const tasks = [0, 1, 2, 3].map((number) =>
		lane.run(() => {
			started.push(number);
			return new Promise<void>((resolve) => ends.push(resolve));
		}),
	);
	await Promise.resolve();
	assert.deepEqual(started, [0, 1]);
	ends[1]?.();
	await tasks[1];
	assert.deepEqual(started, [0, 1, 2]);
	ends[0]?.();
	ends[2]?.();
	await tasks[2];
	assert.deepEqual(started, [0, 1, 2, 3]);
	ends[3]?.();
	await Promise.all(tasks);
});

test("a task that fails gives its place back, and one whose signal aborts while it waits never runs", async () => {
	const lane = createLane(1);
	await assert.rejects(lane.run(() => Promise.reject(new Error("no"))));
	const { promise, resolve: end } = Promise.withResolvers<void>();
	const first = lane.run(() => promise);
	const gone = new AbortController();
	let ran = false;
	const second = lane.run(async () => (ran = true), gone.signal);
	gone.abort(new Error("gone"));
	await assert.rejects(second, /gone/);
	end();
	await first;
	assert.equal(await lane.run(async () => 1), 1);
	assert.equal(ran, false);
});

test("a map is bounded, keeps the most recent half and what is in use, and never invents a value", () => {
	const map = new LruMap<string, number>(10);
	map.set("kept", 1);
	for (let n = 0; n < 1000; n++) {
		map.set(`other-${n}`, n);
		assert.equal(map.get("kept"), 1);
	}
	assert.equal(map.get("other-0"), undefined);
	fc.assert(
		fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 30 }), fc.boolean())), (steps) => {
			const map = new LruMap<number, number>(8);
			const truth = new Map<number, number>();
			for (const [step, [key, write]] of steps.entries()) {
				if (write) {
					map.set(key, step);
					truth.delete(key);
					truth.set(key, step);
				} else {
					const found = map.get(key);
					assert.ok(found === undefined || found === truth.get(key));
					if (truth.delete(key) && found !== undefined) truth.set(key, found);
				}
				assert.ok(map.size <= Math.min(8, truth.size));
			}
			for (const [key, value] of [...truth].slice(-4)) assert.equal(map.get(key), value);
		}),
	);
});
