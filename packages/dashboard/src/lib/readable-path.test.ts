import assert from "node:assert/strict";
import { test } from "node:test";
import { readablePath } from "./readable-path.ts";

const paths: Record<string, string> = {
	"/%C3%A9t%C3%A9/": "/été/",
	"/%CE%BD%CE%AE%CE%BC%CE%B1%CF%84%CE%B1": "/νήματα",
	"/%E7%B5%A8%E6%AF%AF/%E5%B0%8F": "/絨毯/小",
	"/na%EFve": "/na%EFve",
	"/30%-off": "/30%-off",
	"/rugs%2Fwool": "/rugs%2Fwool",
};

test("escapes of a path are decoded where they are UTF-8, and no others", () => {
	for (const [path, shown] of Object.entries(paths)) assert.equal(readablePath(path), shown);
});
