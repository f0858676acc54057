/** Assistants that speak MCP, and the configuration that each needs. Those that are set up by hand have none. */
export const assistants = [
	["claude", "Claude", undefined],
	["chatgpt", "ChatGPT", undefined],
	["claude-code", "Claude Code", (url: string) => `claude mcp add --transport http footfall ${url}`],
	["codex", "Codex", (url: string) => `codex mcp add footfall --url ${url}\ncodex mcp login footfall`],
	["cursor", "Cursor", (url: string) => json({ mcpServers: { footfall: { url } } })],
	["gemini", "Gemini CLI", (url: string) => `gemini mcp add --transport http footfall ${url}`],
	["vscode", "VS Code", (url: string) => json({ servers: { footfall: { type: "http", url } } })],
] as const;

/** The configuration of a client that takes headers, with a key in the place of a sign-in. */
export const configWithKey = (url: string, key: string): string =>
	json({ mcpServers: { footfall: { url, headers: { "X-API-Key": key } } } });

const json = (value: object): string => JSON.stringify(value, null, 2);
