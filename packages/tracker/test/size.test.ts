import assert from "node:assert/strict";
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { runProgram } from "../../server/test/support/command.ts";
import { temporaryFolder } from "../../server/test/support/temporary-folder.ts";
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

const application = `import { load, type Footfall } from "./footfall.js";
load({ src: "https://stats.example.com/t.js?id=shop", hash: true });
const tracker: Footfall = window.footfall;
tracker({ group: "blog" });
footfall();
footfall.conv("purchase", 59.9);
footfall.conv("purchase", "59.90", { order: "A-1", items: [{ sku: "x", quantity: 2 }] });
footfall.conv("purchase", null, { order: "A-1" });
footfall.conv("lead", { plan: "free" });
footfall.micro("signup", { plan: "free" });
const site: string | undefined = footfall.accountId;
`;
const mistakes = ["footfall.conv()", "footfall.micro('signup', 5)", "footfall.accountId = 'other'", "load({})"];

test("an application in strict TypeScript compiles with the built module, and its mistakes are errors", async (t) => {
	const folder = temporaryFolder(t);
	for (const name of ["footfall.js", "footfall.d.ts"]) cpSync(new URL(name, dist), join(folder, name));
	const expected = mistakes.map((mistake) => `// @ts-expect-error\n${mistake};\n`).join("");
	writeFileSync(join(folder, "application.ts"), `${application}${expected}`);
	const compiler = fileURLToPath(new URL("../../../node_modules/.bin/tsc", import.meta.url));
	const options =
		"--strict --exactOptionalPropertyTypes --noEmit --lib ES2020,DOM --module esnext --moduleResolution bundler";
	const { out } = await runProgram(compiler, [...options.split(" "), "application.ts"], { cwd: folder });
	assert.equal(out, "");
});
