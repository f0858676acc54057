import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { AUTOMATIC_EVENTS } from "../../src/features/collecting/tracker-script/fill-in.ts";
import { scriptTag } from "../../src/features/tenancy/sites/script-tag.ts";

const read = (path: string) => readFileSync(new URL(`../../../../${path}`, import.meta.url), "utf8");
const guide = read("docs/tracker.md");
const stub = /^<script>(.*?)<\/script>/.exec(scriptTag(""))?.[1] ?? "";

test("README and docs/tracker.md show the script tag as the API gives it", () => {
	assert.ok(read("README.md").includes(scriptTag("http://127.0.0.1:3000/t.js?id=shop")));
	assert.ok(guide.includes(scriptTag("https://stats.example.com/t.js?id=shop")));
	const copies = [...guide.matchAll(/typeof window\.footfall.*?\(\[\]\)/g)].map(([copy]) => copy);
	assert.deepEqual(copies, [stub, stub, stub]);
});

test("the content policy of docs/tracker.md allows the call stub of the tag", () => {
	const hash = createHash("sha256").update(stub).digest("base64");
	assert.ok(guide.includes(`'sha256-${hash}'`), `sha256-${hash}`);
});

test("docs/tracker.md has a row for every automatic event", () => {
	for (const name of AUTOMATIC_EVENTS) assert.match(guide, new RegExp(`^\\| \`${name}\` \\|`, "m"));
});
