import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { mcpAnswers } from "../../../../test/support/mcp-answers.ts";
import { connectMcp, type McpClient } from "../../../../test/support/mcp-client.ts";
import { type McpSite, openMcpSite } from "../../../../test/support/mcp-site.ts";

let site: McpSite;
let client: McpClient;
before(async () => {
	site = await openMcpSite();
	client = await connectMcp(site.app, site.key);
});
after(async () => {
	await site.app.close();
	await client.close();
});

/** A line for each argument of each tool. */
async function describedTools(): Promise<string> {
	const { tools } = await client.sdk.listTools();
	return tools
		.map(({ name, title, description, inputSchema: { properties = {}, required = [], ...rest } }) => {
			const lines = Object.entries(properties).map(([argument, schema]) => {
				const { description: told = "", ...shape } = schema as { description?: string };
				const mark = required.includes(argument) ? "*" : "";
				return `  ${argument}${mark} ${JSON.stringify(shape)} ${told}`.trimEnd();
			});
			return [`${name} (${title}): ${description}`, `  ${JSON.stringify(rest)}`, ...lines].join("\n");
		})
		.join("\n\n");
}

test("tools/list is the committed tools.txt (UPDATE_SNAPSHOTS=1 writes it)", async () => {
	const file = new URL("./tools.txt", import.meta.url);
	const actual = `${await describedTools()}\n`;
	if (process.env.UPDATE_SNAPSHOTS === "1") writeFileSync(file, actual);
	assert.equal(actual, readFileSync(file, "utf8"));
});

test("every tool is read-only, has a title and one line of description, and admits no other argument", async () => {
	const { tools } = await client.sdk.listTools();
	const others = ["explain_change", "list_sites", "query"];
	assert.deepEqual(tools.map(({ name }) => name).sort(), [...others, ...Object.keys(mcpAnswers)].sort());
	for (const { name, title, description = "", annotations, inputSchema } of tools) {
		assert.deepEqual(
			annotations,
			{ title, readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
			name,
		);
		assert.match(description, /^[^\n]{10,200}$/, name);
		assert.equal(inputSchema.additionalProperties, false, name);
	}
});
