import assert from "node:assert/strict";
import { test } from "node:test";
import { pageOf } from "./envelope.ts";

test("a page knows whether others come before and after it", () => {
	const of = (page: number, rows: number[], total: number) => {
		const { has_prev, has_next } = pageOf(rows, { total, page, pageSize: 2 });
		return [has_prev, has_next];
	};
	assert.deepEqual(of(1, [1, 2], 5), [false, true]);
	assert.deepEqual(of(2, [3, 4], 5), [true, true]);
	assert.deepEqual(of(3, [5], 5), [true, false]);
	assert.deepEqual(of(1, [1, 2], 2), [false, false]);
	assert.deepEqual(of(1, [], 0), [false, false]);
});

test("a page past the end is empty and has none after it", () => {
	assert.deepEqual(pageOf([], { total: 5, page: 9, pageSize: 2 }), {
		data: [],
		total: 5,
		page: 9,
		page_size: 2,
		has_next: false,
		has_prev: true,
	});
});
