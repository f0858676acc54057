import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const manifest = new URL("../../dist/.vite/manifest.json", import.meta.url);

/** Path at which the service serves what was built, in English, of a module: `features/bots/bots-screen.tsx`. */
export function builtFile(source: string): string {
	const parts: Readonly<Record<string, { readonly file: string }>> = JSON.parse(readFileSync(manifest, "utf8"));
	const file = parts[`src/${source}`]?.file;
	assert.ok(file !== undefined, `${source} is no file of its own`);
	return `/${file}`;
}
