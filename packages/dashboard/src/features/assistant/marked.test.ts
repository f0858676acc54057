import assert from "node:assert/strict";
import { test } from "node:test";
import { readMarked } from "./marked.ts";

const plain = (text: string) => ({ look: "plain", text });

test("paragraphs, lists, headings, code and bold are read", () => {
	assert.deepEqual(
		readMarked("# Visits\nUp by **20 %**.\n\n- one\n- `two`\n\n1. first\n2. *second*\n```sql\nSELECT 1\n```"),
		[
			{ kind: "heading", spans: [plain("Visits")] },
			{ kind: "paragraph", spans: [plain("Up by "), { look: "strong", text: "20 %" }, plain(".")] },
			{ kind: "list", isOrdered: false, items: [[plain("one")], [{ look: "code", text: "two" }]] },
			{ kind: "list", isOrdered: true, items: [[plain("first")], [{ look: "emphasis", text: "second" }]] },
			{ kind: "code", text: "SELECT 1" },
		],
	);
});

test("links, images and HTML stay the characters that they are", () => {
	for (const text of [
		"![x](https://evil.example/?q=1)",
		"[click](https://evil.example/)",
		"<img src=https://evil.example/>",
		"<https://evil.example/>",
		"![x][1]",
		"https://evil.example/a_b_c",
	]) {
		assert.deepEqual(readMarked(text), [{ kind: "paragraph", spans: [plain(text)] }]);
	}
});

test("marks that do not end, names with underscores and an open block of code lose nothing", () => {
	assert.deepEqual(readMarked("2 ** 3 and utm_source_name *"), [
		{ kind: "paragraph", spans: [plain("2 ** 3 and utm_source_name *")] },
	]);
	assert.deepEqual(readMarked("```\nleft open"), [{ kind: "code", text: "left open" }]);
	assert.deepEqual(readMarked(""), []);
});
