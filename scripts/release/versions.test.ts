import assert from "node:assert/strict";
import { cpSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../packages/server/test/support/temporary-folder.ts";
import { root } from "../lib/root.ts";
import { changesOf, setVersion, versionPlaces } from "./versions.ts";

const changelog = readFileSync(join(root, "CHANGELOG.md"), "utf8");

test("every place names one version, of which the changelog tells", () => {
	const places = versionPlaces(root);
	const [first] = places;
	assert.ok(places.length >= 11 && first !== undefined);
	assert.deepEqual(
		places.filter(({ version }) => version !== first.version),
		[],
	);
	assert.ok(changesOf(changelog, first.version), `CHANGELOG.md does not tell of ${first.version}`);
});

test("a release writes its version into every place, and nothing else", (t) => {
	const folder = temporaryFolder(t);
	const files = new Set(versionPlaces(root).map(({ place }) => place.split(" ", 1)[0] ?? ""));
	for (const file of files)
		cpSync(join(root, file), join(folder, dirname(file), file.slice(file.lastIndexOf("/") + 1)));
	const [{ version: before = "" } = {}] = versionPlaces(root);
	setVersion(folder, "7.8.9-beta.1");
	assert.deepEqual([...new Set(versionPlaces(folder).map(({ version }) => version))], ["7.8.9-beta.1"]);
	setVersion(folder, before);
	for (const file of files)
		assert.equal(readFileSync(join(folder, file), "utf8"), readFileSync(join(root, file), "utf8"));
});

test("a section without entries tells of no version", () => {
	const text = "# Changelog\n\n## Unreleased\n\n## 1.1.0\n\n### Added\n\n## 1.0.0\n\n- First.\n";
	assert.equal(changesOf(text, "1.1.0"), undefined);
	assert.equal(changesOf(text, "1.0.0"), "- First.");
	assert.equal(changesOf(text, "1.0"), undefined);
});

const { packages }: { readonly packages: Readonly<Record<string, ReturnType<typeof JSON.parse>>> } = JSON.parse(
	readFileSync(join(root, "package-lock.json"), "utf8"),
);

test("the lockfile names the packages of every platform, so that npm ci takes it anywhere", () => {
	const isThere = (from: string, name: string): boolean =>
		[...from.matchAll(/(?:^|\/)node_modules\/|$/g)].some(
			({ index }) => `${from.slice(0, index)}${index > 0 ? "/" : ""}node_modules/${name}` in packages,
		) || `node_modules/${name}` in packages;
	const missing = Object.entries(packages).flatMap(([from, { optionalDependencies = {} }]) =>
		Object.keys(optionalDependencies).filter((name) => !isThere(from, name)),
	);
	assert.deepEqual(missing, []);
});

test("every package of the lock file has a hash, but for the engines that the registry of its last update lacked", () => {
	const without = Object.entries(packages).filter(
		([path, { link, integrity = "" }]) => path.includes("node_modules/") && !link && !integrity.startsWith("sha512-"),
	);
	const engines = ["darwin-arm64", "darwin-x64", "linux-arm64-gnu"].map((name) => `node_modules/@chdb/lib-${name}`);
	assert.deepEqual(
		without.map(([path]) => path),
		engines,
	);
});
