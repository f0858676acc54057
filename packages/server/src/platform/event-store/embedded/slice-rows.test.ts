import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { sliceRows } from "./slice-rows.ts";

const slicesOf = (text: string, rows: number, bytes: number) =>
	sliceRows(Buffer.from(text), { rows, bytes }).map(String);

test("rows are cut after the given number", () => {
	assert.deepEqual(slicesOf("a\nb\nc\nd\ne\n", 2, 100), ["a\nb\n", "c\nd\n", "e\n"]);
	assert.deepEqual(slicesOf("a\nb\n", 2, 100), ["a\nb\n"]);
	assert.deepEqual(slicesOf("", 2, 100), []);
});

test("rows are cut before a slice grows too long, and a long row stays whole", () => {
	assert.deepEqual(slicesOf("aa\nbb\nccccccccc\nd\n", 10, 6), ["aa\nbb\n", "ccccccccc\n", "d\n"]);
});

test("a last row without line feed is kept", () => {
	assert.deepEqual(slicesOf("a\nb", 1, 100), ["a\n", "b"]);
});

test("slices put together are the rows, each slice a whole number of them", () => {
	fc.assert(
		fc.property(
			fc.array(fc.stringMatching(/^[a-z]{0,5}$/)),
			fc.integer({ min: 1, max: 4 }),
			fc.integer({ min: 1, max: 9 }),
			(lines, rows, bytes) => {
				const text = lines.map((line) => `${line}\n`).join("");
				const slices = slicesOf(text, rows, bytes);
				assert.equal(slices.join(""), text);
				for (const slice of slices) {
					assert.ok(slice.endsWith("\n"));
					assert.ok(slice.split("\n").length - 1 <= rows);
				}
			},
		),
	);
});
