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

test("a fresh clone is installed", (t) => {
	assert.equal(installIsStale(checkout(t)), true);
});

test("what npm installed by hand is accepted, another platform's packages left aside", (t) => {
	const root = checkout(t);
	install(root, "1.0.0");
	assert.equal(installIsStale(root), false);
});

test("a changed lockfile is installed anew", (t) => {
	const root = checkout(t);
	install(root, "1.0.0");
	assert.equal(installIsStale(root), false);
	writeFileSync(join(root, "package-lock.json"), lock("1.0.1"));
	assert.equal(installIsStale(root), true);
});

test("an interrupted installation is repeated", (t) => {
	const root = checkout(t);
	mkdirSync(join(root, "node_modules"));
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

test("a production installation is not one for developing, and the other way round", (t) => {
	const root = checkout(t);
	install(root, "1.0.0");
	assert.equal(installIsStale(root), false);
	assert.equal(isProductionReady(root), false);
	const hash = createHash("sha256").update(`${process.platform} ${process.arch}\n`).update(lock("1.0.0")).digest("hex");
	rmSync(join(root, "node_modules/.package-lock.json"));
	writeFileSync(join(root, "node_modules/.footfall-lock"), `${hash} production`);
	assert.equal(isProductionReady(root), true);
	assert.equal(installIsStale(root), true);
	writeFileSync(join(root, "package-lock.json"), lock("1.0.1"));
	assert.equal(isProductionReady(root), false);
});

test("what suffices to run does not suffice for tests, and everything suffices for both", (t) => {
	const root = checkout(t);
	mkdirSync(join(root, "node_modules"));
	const hash = createHash("sha256").update(`${process.platform} ${process.arch}\n`).update(lock("1.0.0")).digest("hex");
	const stamp = join(root, "node_modules/.footfall-lock");
	writeFileSync(stamp, `${hash} to run`);
	assert.deepEqual([installIsStale(root, { toRun: true }), installIsStale(root)], [false, true]);
	writeFileSync(stamp, hash);
	assert.deepEqual([installIsStale(root, { toRun: true }), installIsStale(root)], [false, false]);
	writeFileSync(stamp, `${hash} production`);
	assert.equal(installIsStale(root, { toRun: true }), true, "its builders are gone");
});
