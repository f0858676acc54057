import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { installIsStale, isProductionReady, partIsStale } from "./setup.mjs";

const lock = (version) =>
	JSON.stringify({
		packages: {
			"": { name: "x" },
			"node_modules/a": { version },
			"node_modules/only-on-a-mac": { version: "1.0.0", optional: true },
		},
	});

function checkout(t) {
	const root = mkdtempSync(join(tmpdir(), "footfall-setup-"));
	t.after(() => rmSync(root, { recursive: true }));
	writeFileSync(join(root, "package-lock.json"), lock("1.0.0"));
	return root;
}

function install(root, version) {
	mkdirSync(join(root, "node_modules"), { recursive: true });
	const packages = { "node_modules/a": { version } };
	writeFileSync(join(root, "node_modules/.package-lock.json"), JSON.stringify({ packages }));
}

test("a fresh clone, a changed lockfile and an interrupted installation are installed, another platform's packages left aside", (t) => {
	const root = checkout(t);
	assert.equal(installIsStale(root), true);
	mkdirSync(join(root, "node_modules"));
	assert.equal(installIsStale(root), true);
	install(root, "1.0.0");
	assert.equal(installIsStale(root), false);
	writeFileSync(join(root, "package-lock.json"), lock("1.0.1"));
	assert.equal(installIsStale(root), true);
});

test("a part is built when it is missing or older than a source", (t) => {
	const root = checkout(t);
	const part = { name: "p", sources: ["src"], output: "out.js", build: "build.mjs" };
	mkdirSync(join(root, "src"));
	const touch = (path, seconds) => utimesSync(join(root, path), seconds, seconds);
	writeFileSync(join(root, "src/a.js"), "");
	assert.equal(partIsStale(root, part), true);
	writeFileSync(join(root, "out.js"), "");
	touch("src/a.js", 1000);
	touch("src", 1000);
	touch("out.js", 2000);
	assert.equal(partIsStale(root, part), false);
	touch("src/a.js", 3000);
	assert.equal(partIsStale(root, part), true);
});

test("an installation to run does not suffice for tests, a full one suffices for both, and a production one for neither", (t) => {
	const root = checkout(t);
	install(root, "1.0.0");
	assert.equal(isProductionReady(root), false);
	rmSync(join(root, "node_modules/.package-lock.json"));
	const hash = createHash("sha256").update(`${process.platform} ${process.arch}\n`).update(lock("1.0.0")).digest("hex");
	for (const [stamp, expected] of [
		[`${hash} to run`, { production: false, toRun: false, all: true }],
		[hash, { production: false, toRun: false, all: false }],
		// Its builders are gone.
		[`${hash} production`, { production: true, toRun: true, all: true }],
	]) {
		writeFileSync(join(root, "node_modules/.footfall-lock"), stamp);
		const found = { production: isProductionReady(root), toRun: installIsStale(root, { toRun: true }) };
		assert.deepEqual({ ...found, all: installIsStale(root) }, expected, stamp);
	}
	writeFileSync(join(root, "package-lock.json"), lock("1.0.1"));
	assert.equal(isProductionReady(root), false);
});
