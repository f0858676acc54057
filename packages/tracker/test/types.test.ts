import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const compiler = fileURLToPath(new URL("../../../node_modules/.bin/tsc", import.meta.url));

const application = `
import { load, type Footfall } from "./footfall.js";

load({ src: "https://stats.example.com/t.js?id=shop" });
load({ src: "https://stats.example.com/t.js?id=shop", hash: true });
const tracker: Footfall = window.footfall;
tracker({ group: "blog" });
footfall();
footfall.conv("purchase");
footfall.conv("purchase", 59.9);
footfall.conv("purchase", "59.90", { order: "A-1", items: [{ sku: "x", quantity: 2 }] });
footfall.conv("purchase", null, { order: "A-1" });
footfall.conv("lead", { plan: "free" });
footfall.micro("signup", { plan: "free" });
const site: string | undefined = footfall.accountId;
// @ts-expect-error a type is needed
footfall.conv();
// @ts-expect-error properties are an object
footfall.micro("signup", 5);
// @ts-expect-error it cannot be written
footfall.accountId = site;
// @ts-expect-error an address is needed
load({});
`;

test("an application in strict TypeScript takes the module and its types as they are built", () => {
	const folder = mkdtempSync(join(tmpdir(), "footfall-types-"));
	try {
		for (const name of ["footfall.js", "footfall.d.ts"]) {
			copyFileSync(new URL(`../dist/${name}`, import.meta.url), join(folder, name));
		}
		writeFileSync(join(folder, "application.ts"), application);
		const options = [
			"--strict",
			"--exactOptionalPropertyTypes",
			"--noEmit",
			"--lib",
			"ES2020,DOM",
			"--module",
			"esnext",
		];
		const result = spawnSync(compiler, [...options, "--moduleResolution", "bundler", "application.ts"], {
			cwd: folder,
			encoding: "utf8",
		});
		assert.equal(result.stdout + result.stderr, "");
		assert.equal(result.status, 0);
	} finally {
		rmSync(folder, { recursive: true });
	}
});
