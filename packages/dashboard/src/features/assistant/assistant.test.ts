import assert from "node:assert/strict";
import { test } from "node:test";
import { readMarked } from "./marked.ts";
import { mcpCall, mcpCurl } from "./tool-call.ts";

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

test("links, images, HTML, marks that do not end and names with underscores stay the characters that they are", () => {
	for (const text of [
		"![x](https://evil.example/?q=1)",
		"[click](https://evil.example/)",
		"<img src=https://evil.example/>",
		"<https://evil.example/>",
		"![x][1]",
		"https://evil.example/a_b_c",
		"2 ** 3 and utm_source_name *",
	])
		assert.deepEqual(readMarked(text), [{ kind: "paragraph", spans: [plain(text)] }]);
	assert.deepEqual(readMarked("```\nleft open"), [{ kind: "code", text: "left open" }]);
	assert.deepEqual(readMarked(""), []);
});

test("a call is copied with its site, which a model cannot change, and for a shell is one word, whatever stands in it", () => {
	const call = { tool_name: "get_pages", arguments: { period: "7d", search: "it's" } };
	assert.deepEqual(JSON.parse(mcpCall({ ...call, arguments: { site_id: "other" } }, "shop")).params, {
		name: "get_pages",
		arguments: { site_id: "shop" },
	});
	assert.equal(
		mcpCurl(call, "shop", "https://stats.example"),
		`curl -H "X-API-Key: $KEY" -H "Content-Type: application/json" 'https://stats.example/mcp' -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_pages","arguments":{"period":"7d","search":"it'\\''s","site_id":"shop"}}}'`,
	);
});
