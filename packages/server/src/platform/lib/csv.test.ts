import assert from "node:assert/strict";
import { test } from "node:test";
import { csvLine } from "./csv.ts";

test("a line ends with CRLF, and cells with separators, quotes or line breaks are quoted", () => {
	assert.equal(
		csvLine(["plain", "", "a,b", 'say "hi"', "two\nlines", "two\rlines", "ñ 日本"]),
		["plain", "", '"a,b"', '"say ""hi"""', '"two\nlines"', '"two\rlines"', "ñ 日本\r\n"].join(","),
	);
	assert.equal(csvLine([]), "\r\n");
});

test("texts that a spreadsheet would run as a formula are disarmed", () => {
	assert.equal(csvLine(["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "a=b"]), "'=1+1,'+1,'-1,'@SUM(A1),'\tx,a=b\r\n");
	assert.equal(csvLine(["\rx", '=HYPERLINK("a","b")']), `"'\rx","'=HYPERLINK(""a"",""b"")"\r\n`);
});

test("numbers are written as they are, with a point", () => {
	assert.equal(csvLine([0, -5, 10.25, 1_234_567.5]), "0,-5,10.25,1234567.5\r\n");
});
