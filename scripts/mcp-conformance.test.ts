import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("mcp-conformance.ts", import.meta.url));

test("the public conformance tests find nothing amiss without a reason that is known", () => {
	const { status, stdout, stderr } = spawnSync(process.execPath, [script], { encoding: "utf8" });
	assert.equal(status, 0, stdout + stderr);
	assert.match(stdout, /^Authorization server: 3 passed, 0 not applicable, 0 failed$/m);
	assert.match(stdout, /^MCP server, 2025-11-25: \d+ passed, \d+ not applicable, 0 failed$/m);
	assert.match(stdout, /^MCP server, 2026-07-28: \d+ passed, \d+ not applicable, 0 failed$/m);
});
