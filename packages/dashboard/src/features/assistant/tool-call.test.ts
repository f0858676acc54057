import assert from "node:assert/strict";
import { test } from "node:test";
import { mcpCall, mcpCurl } from "./tool-call.ts";

const call = { tool_name: "get_pages", arguments: { period: "7d", search: "it's" } };

test("a call is copied with its site, which a model cannot change", () => {
	assert.deepEqual(JSON.parse(mcpCall({ ...call, arguments: { site_id: "other" } }, "shop")).params, {
		name: "get_pages",
		arguments: { site_id: "shop" },
	});
});

test("for a shell it is one word, whatever stands in it", () => {
	assert.equal(
		mcpCurl(call, "shop", "https://stats.example"),
		`curl -H "X-API-Key: $KEY" -H "Content-Type: application/json" 'https://stats.example/mcp' -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_pages","arguments":{"period":"7d","search":"it'\\''s","site_id":"shop"}}}'`,
	);
});
