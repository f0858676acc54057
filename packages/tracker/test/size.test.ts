import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { served } from "./stage.ts";

const dist = new URL("../dist/", import.meta.url);

/** Bytes as served to a typical site, by gzip and by Brotli. */
const bars: [events: string, gzip: number, brotli: number][] = [
	["", 1000, 870],
	["404", 1080, 940],
	["download", 1250, 1130],
	["form", 1095, 950],
	["outbound", 1135, 995],
	["scroll", 1145, 1020],
	["404,download,form,outbound,scroll", 1500, 1350],
];

for (const [events, gzip, brotli] of bars) {
	test(`the tracker ${events && `with ${events} `}weighs at most ${gzip} bytes by gzip, ${brotli} by Brotli`, (t) => {
		const script = served(new URLSearchParams({ id: "my-shop", events }));
		const sizes = [gzipSync(script, { level: 9 }).length, brotliCompressSync(script).length] as const;
		t.diagnostic(`${events || "plain"}: ${sizes[0]} bytes by gzip, ${sizes[1]} by Brotli`);
		assert.ok(sizes[0] <= gzip, `${sizes[0]} bytes by gzip`);
		assert.ok(sizes[1] <= brotli, `${sizes[1]} bytes by Brotli`);
	});
}

test("the tracker touches no cookie and no storage, whatever events it sends", () => {
	const files = readdirSync(dist).filter((name) => name.startsWith("tracker"));
	assert.equal(files.length, 32);
	for (const name of files) {
		assert.doesNotMatch(readFileSync(new URL(name, dist), "utf8"), /cookie|storage|indexedDB|caches/i);
	}
});
