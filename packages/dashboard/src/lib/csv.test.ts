import assert from "node:assert/strict";
import { test } from "node:test";
import { csvOf, csvOfRecords } from "./csv.ts";

test("a table file quotes what would break it, and keeps texts from being formulas", () => {
	assert.equal(
		csvOf([
			["page", "visits"],
			["/a,b", 12],
			['say "hi"', 1.5],
			["=SUM(A1)", -3],
			["two\nlines", null],
		]),
		'page,visits\r\n"/a,b",12\r\n"say ""hi""",1.5\r\n\'=SUM(A1),-3\r\n"two\nlines",\r\n',
	);
});

test("records stand below the names of all their columns, whichever of them has one", () => {
	assert.equal(
		csvOfRecords([
			{ page: "/", visits: 1, by: [] },
			{ page: "/a", visits_prev: 2 },
		]),
		"page,visits,visits_prev\r\n/,1,\r\n/a,,2\r\n",
	);
	assert.equal(csvOfRecords([]), "\r\n");
});
