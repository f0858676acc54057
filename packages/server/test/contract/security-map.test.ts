import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";

const guide = readFileSync(new URL("../../../../docs/security.md", import.meta.url), "utf8");
const server = new URL("../../", import.meta.url);

/** The requirements of OWASP ASVS 5.0.0 up to level 2: a line for each chapter, the first and last number of each section. */
const chapters = [
	"1.1.1-2 1.2.1-9 1.3.1-11 1.4.1-3 1.5.1-2",
	"2.1.1-3 2.2.1-3 2.3.1-4 2.4.1",
	"3.2.1-2 3.3.1-4 3.4.1-6 3.5.1-5 3.7.1-2",
	"4.1.1-3 4.2.1 4.3.1-2 4.4.1-4",
	"5.1.1 5.2.1-3 5.3.1-2 5.4.1-3",
	"6.1.1-3 6.2.1-12 6.3.1-4 6.4.1-4 6.5.1-5 6.6.1-3 6.8.1-4",
	"7.1.1-3 7.2.1-4 7.3.1-2 7.4.1-5 7.5.1-2 7.6.1-2",
	"8.1.1-2 8.2.1-3 8.3.1 8.4.1",
	"9.1.1-3 9.2.1-4",
	"10.1.1-2 10.2.1-2 10.3.1-4 10.4.1-11 10.5.1-5 10.6.1-2 10.7.1-3",
	"11.1.1-2 11.2.1-3 11.3.1-3 11.4.1-4 11.5.1 11.6.1",
	"12.1.1-3 12.2.1-2 12.3.1-4",
	"13.1.1 13.2.1-5 13.3.1-2 13.4.1-5",
	"14.1.1-2 14.2.1-4 14.3.1-3",
	"15.1.1-3 15.2.1-3 15.3.1-7",
	"16.1.1 16.2.1-5 16.3.1-4 16.4.1-3 16.5.1-3",
	"17.1.1 17.2.1-4 17.3.1-2",
];

const requirements = chapters
	.flatMap((line) => line.split(" "))
	.flatMap((run) => {
		const [, section = "", first = "", last = first] = /^(\d+\.\d+)\.(\d+)(?:-(\d+))?$/.exec(run) ?? [];
		return Array.from(
			{ length: Number(last) - Number(first) + 1 },
			(_, index) => `${section}.${Number(first) + index}`,
		);
	});

const rows = guide
	.split("\n")
	.map((line) => line.split("|").map((cell) => cell.trim()))
	.filter(([, ids]) => ids !== undefined && /^\d+\.\d+\.\d+/.test(ids))
	.map(([, ids = "", met = "", how = "", shown = ""]) => ({ ids: ids.split(", "), met, how, shown }));

test("every requirement of levels 1 and 2 stands in the map once, and no other", () => {
	assert.equal(requirements.length, 253);
	assert.deepEqual(rows.flatMap(({ ids }) => ids).toSorted(), requirements.toSorted());
});

test("every row says whether and how a requirement is met", () => {
	for (const { ids, met, how } of rows) {
		assert.ok(["yes", "partly", "no", "n/a", "operator"].includes(met), `${ids}: ${met}`);
		assert.ok(how.length > 5, ids.join());
	}
});

test("every test that the document names exists under this title", () => {
	const named = [...guide.matchAll(/`((?:src|test|\.\.)\/[^`]+\.test\.ts)`(?:\s"([^"]+)")?/g)];
	assert.ok(named.length > 90, String(named.length));
	for (const [, file = "", title] of named) {
		const path = new URL(file, server);
		assert.ok(existsSync(path), file);
		if (title !== undefined) assert.ok(readFileSync(path, "utf8").includes(`test("${title}"`), `${file} "${title}"`);
	}
});
