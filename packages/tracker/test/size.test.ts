import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { served } from "./stage.ts";

const dist = new URL("../dist/", import.meta.url);

/** Bytes as served to a typical site, by gzip and by Brotli. */
const bars: [events: string, gzip: number, brotli: number][] = [
	["", 945, 820],
	["404", 1030, 890],
	["download", 1195, 1060],
	["outbound", 1080, 935],
	["scroll", 1095, 960],
	["404,download,outbound,scroll", 1400, 1240],
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
	assert.equal(files.length, 16);
	for (const name of files) {
		assert.doesNotMatch(readFileSync(new URL(name, dist), "utf8"), /cookie|storage|indexedDB|caches/i);
	}
});
