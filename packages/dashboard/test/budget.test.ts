import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const dist = fileURLToPath(new URL("../dist/", import.meta.url));

interface Part {
	readonly file: string;
	readonly imports?: readonly string[];
	readonly css?: readonly string[];
	readonly isDynamicEntry?: boolean;
}
const manifest = JSON.parse(readFileSync(`${dist}.vite/manifest.json`, "utf8")) as Readonly<Record<string, Part>>;

/** A part with all that it needs before it runs. */
function closure(key: string, seen = new Set<string>()): ReadonlySet<string> {
	if (seen.has(key)) return seen;
	seen.add(key);
	for (const needed of manifest[key]?.imports ?? []) closure(needed, seen);
	return seen;
}

const kilobytes = (files: Iterable<string>): number =>
	[...new Set(files)].reduce((sum, file) => sum + gzipSync(readFileSync(dist + file), { level: 9 }).length, 0) / 1000;
const scripts = (keys: Iterable<string>) => [...keys].map((key) => manifest[key]?.file ?? "");
const first = closure("index.html");

test("before the first figures at most 140 kB of scripts and 15 kB of styles travel", () => {
	assert.ok(kilobytes(scripts(first)) <= 140, `${kilobytes(scripts(first)).toFixed(1)} kB`);
	const styles = [...first].flatMap((key) => manifest[key]?.css ?? []);
	assert.notEqual(styles.length, 0);
	assert.ok(kilobytes(styles) <= 15, `${kilobytes(styles).toFixed(1)} kB`);
});

test("the boot script weighs at most 2 kB and needs nothing", () => {
	const [boot] = Object.entries(manifest).filter(([key]) => key.endsWith("boot.ts"));
	assert.ok(boot);
	assert.deepEqual(boot[1].imports ?? [], []);
	assert.ok(kilobytes([boot[1].file]) <= 2);
});

test("a screen that comes later weighs at most 40 kB beside what is there", () => {
	for (const [key, { isDynamicEntry }] of Object.entries(manifest)) {
		if (isDynamicEntry !== true) continue;
		const own = [...closure(key)].filter((part) => !first.has(part));
		assert.ok(kilobytes(scripts(own)) <= 40, `${key}: ${kilobytes(scripts(own)).toFixed(1)} kB`);
	}
});
