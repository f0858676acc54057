/** A report that was read for an answer. */
export interface ToolCall {
	readonly tool_name: string;
	readonly arguments: Readonly<Record<string, unknown>>;
}

/** The same call for an assistant of one's own, as MCP words it; the site is named there. */
export const mcpCall = ({ tool_name: name, arguments: given }: ToolCall, site: string): string =>
	JSON.stringify({
		jsonrpc: "2.0",
		id: 1,
		method: "tools/call",
		params: { name, arguments: { ...given, site_id: site } },
	});

/** The same call for a shell; `$KEY` stands for an API token. */
export const mcpCurl = (call: ToolCall, site: string, origin: string): string =>
	`curl -H "X-API-Key: $KEY" -H "Content-Type: application/json" '${origin}/mcp' -d '${mcpCall(call, site).replaceAll("'", `'\\''`)}'`;
