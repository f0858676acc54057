import assert from "node:assert/strict";
import { test } from "node:test";
import { csvOf, csvOfRecords } from "./csv.ts";
import { moved } from "./moved.ts";
import { readablePath } from "./readable-path.ts";
import { limitsOf, shadeOf } from "./shades.ts";

test("a table file quotes what would break it, and keeps texts from being formulas", () => {
	assert.equal(
		csvOf([
			["page", "visits"],
			["/a,b", 12],
			['say "hi"', 1.5],
			["=SUM(A1)", -3],
			["-1+2", "@x"],
			["two\nlines", null],
		]),
		'page,visits\r\n"/a,b",12\r\n"say ""hi""",1.5\r\n\'=SUM(A1),-3\r\n\'-1+2,\'@x\r\n"two\nlines",\r\n',
	);
});

test("records stand below the names of all their columns, whichever of them has one", () => {
	const records = [
		{ page: "/", visits: 1, by: [] },
		{ page: "/a", visits_prev: 2 },
	];
	assert.equal(csvOfRecords(records), "page,visits,visits_prev\r\n/,1,\r\n/a,,2\r\n");
	assert.equal(csvOfRecords([]), "\r\n");
});

test("an entry takes another place, and stays where there is none", () => {
	const order = (from: number, to: number) => moved(["a", "b", "c"], from, to).join("");
	assert.deepEqual([order(0, 2), order(2, 1), order(0, -1), order(2, 3)], ["bca", "acb", "abc", "abc"]);
});

test("escapes of a path are decoded where they are UTF-8, and no others", () => {
	for (const [path, shown] of Object.entries({
		"/%C3%A9t%C3%A9/": "/été/",
		"/%E7%B5%A8%E6%AF%AF/%E5%B0%8F": "/絨毯/小",
		"/na%EFve": "/na%EFve",
		"/30%-off": "/30%-off",
		"/rugs%2Fwool": "/rugs%2Fwool",
	}))
		assert.equal(readablePath(path), shown);
});

test("shades widen by a factor from the least to the largest value, or evenly; few different values have few", () => {
	const limits = limitsOf([1, 10, 100, 1_000, 10_000, 100_000, 0]);
	assert.deepEqual(limits, [1, 10, 100, 1_000, 10_000]);
	const found = [0, 1, 99, 100, 100_000].map((value) => shadeOf(limits, value));
	assert.deepEqual(found, [0, 1, 2, 3, 5]);
	assert.deepEqual(limitsOf([0, 10, 110], "even"), [10, 30, 50, 70, 90]);
	assert.deepEqual([limitsOf([3, 3]), limitsOf([0]), limitsOf([0.4, 0.4])], [[3], [], [0.4]]);
	assert.equal(shadeOf([], 0), 0);
});
