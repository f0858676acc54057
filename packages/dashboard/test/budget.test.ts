import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const dist = fileURLToPath(new URL("../dist/", import.meta.url));

type Manifest = Readonly<Record<string, ReturnType<typeof JSON.parse>>>;

/** The build of each language. */
const builds = Object.entries({ en: "", es: ".es" }).map(([language, ending]) => {
	const manifest: Manifest = JSON.parse(readFileSync(`${dist}.vite/manifest${ending}.json`, "utf8"));
	const page = readFileSync(`${dist}index${ending}.html`, "utf8");
	const named = Object.keys(manifest).filter((key) => page.includes(`/${manifest[key]?.file}"`));
	return { language, manifest, first: new Set(named.flatMap((key) => [...closure(manifest, key)])) };
});

/** A part with all that it needs before it runs. */
function closure(manifest: Manifest, key: string, seen = new Set<string>()): ReadonlySet<string> {
	if (seen.has(key)) return seen;
	seen.add(key);
	for (const needed of manifest[key]?.imports ?? []) closure(manifest, needed, seen);
	return seen;
}

const kilobytes = (files: Iterable<string>): number =>
	[...new Set(files)].reduce((sum, file) => sum + gzipSync(readFileSync(dist + file), { level: 9 }).length, 0) / 1000;
const scripts = (manifest: Manifest, keys: Iterable<string>) =>
	[...keys].flatMap((key) => {
		const file = manifest[key]?.file ?? "";
		return file.endsWith(".js") ? [file] : [];
	});

function atMost(limit: number, files: Iterable<string>, what: string): void {
	const size = kilobytes(files);
	assert.ok(size > 0 && size <= limit, `${what}: ${size.toFixed(1)} kB`);
}

for (const { language, manifest, first } of builds) {
	test(`${language}: before the first figures at most 140 kB of scripts and 15 kB of styles travel`, () => {
		atMost(140, scripts(manifest, first), "scripts");
		atMost(
			15,
			[...first].flatMap((key) => manifest[key]?.css ?? []),
			"styles",
		);
	});

	test(`${language}: until nothing is loading any more the report needs at most 160 kB of scripts`, () => {
		// Its lower part is one file; the marks of the chart, the banners and the warnings come when it rests; the map when a reader gets to it.
		const isLater = (key: string) =>
			/^(report|warnings)$/.test(manifest[key]?.name ?? "") || /\/(chart-marks|banners)\.tsx$/.test(key);
		const later = Object.keys(manifest).filter(isLater);
		assert.equal(new Set(later.map((key) => manifest[key]?.name)).size, 4);
		atMost(160, scripts(manifest, [...first, ...later.flatMap((key) => [...closure(manifest, key)])]), "scripts");
	});

	test(`${language}: the boot script weighs at most 2 kB and needs nothing`, () => {
		const boot = Object.entries(manifest).find(([key]) => key.endsWith("boot.ts"))?.[1];
		assert.ok(boot);
		assert.deepEqual(boot.imports ?? [], []);
		atMost(2, [boot.file], "boot");
	});

	test(`${language}: a screen that comes later weighs at most 40 kB beside what is there`, () => {
		const later = Object.entries(manifest).filter(([, { isDynamicEntry }]) => isDynamicEntry);
		assert.ok(later.length > 20);
		for (const [key] of later) {
			const own = [...closure(manifest, key)].filter((part) => !first.has(part));
			assert.ok(kilobytes(scripts(manifest, own)) <= 40, key);
		}
	});
}

test("a language's build has no words of another one", () => {
	const words = { en: "Close", es: "Cerrar" } as const;
	const texts = (manifest: Manifest) =>
		Object.values(manifest)
			.filter(({ file }) => file.endsWith(".js"))
			.map(({ file }) => readFileSync(dist + file, "utf8"))
			.join("");
	for (const { language, manifest } of builds) {
		const all = texts(manifest);
		assert.equal(all.includes(`\`${words.en}\``), language === "en");
		assert.equal(all.includes(`\`${words.es}\``), language === "es");
	}
});
