import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const src = fileURLToPath(new URL("../src/", import.meta.url));
const found = (pattern: string, fault: RegExp, except: readonly string[] = []) =>
	globSync(pattern, { cwd: src })
		.filter((file) => !except.includes(file) && !file.endsWith(".test.ts"))
		.flatMap((file) =>
			[...readFileSync(src + file, "utf8").matchAll(fault)].map(([text]) => `${file}: ${text.trim().slice(0, 80)}`),
		);

test("colours are named in one place", () => {
	assert.deepEqual(found("**/*.css", /#[0-9a-f]{3,8}\b|\brgba?\(/gi, ["ui/tokens.css"]), []);
	assert.deepEqual(found("**/*.tsx", /["'`]#[0-9a-f]{3,8}["'`]/gi), []);
});

test("no style claims to be more important than others", () => {
	assert.deepEqual(found("**/*.css", /!important/g), []);
});

test("shown texts come from the texts of both languages", () => {
	// A word between tags, or as the name of a control. `Footfall` is the same in all languages.
	assert.deepEqual(
		found(
			"**/*.tsx",
			/<(p|span|strong|h[1-6]|li|a|label|legend|small|button|Button)\b[^>{}=]*>\s*(?!Footfall)[A-Za-zÀ-ž]{3,}[^<>{}]*</g,
		),
		[],
	);
	assert.deepEqual(
		found("**/*.tsx", /\b(aria-label|title|placeholder|alt|label)="(?!example\.|https:\/\/)[^"]*[a-z]{3,}[^"]*"/g),
		[],
	);
});
