import type { Tool } from "@modelcontextprotocol/server";
import { listSitesTool } from "./list-sites.ts";
import type { ReadyTool } from "./report-tools.ts";

const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const;

/** Every tool as `tools/list` tells of it. */
export function describeTools(tools: ReadonlyMap<string, ReadyTool>): Tool[] {
	const reports = tools.values().map(({ tool, inputSchema }) => ({ ...tool, inputSchema }));
	return [listSitesTool, ...reports].map(({ name, title, description, inputSchema }) => ({
		name,
		title,
		description,
		// The library's type says of JSON what ours says of JSON Schema.
		inputSchema: inputSchema as unknown as Tool["inputSchema"],
		annotations: { title, ...annotations },
	}));
}
