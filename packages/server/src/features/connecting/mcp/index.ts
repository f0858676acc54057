/** The tools by which assistants read sites, and the protocol that serves them (MCP). */

export { type Asker, askerOf, type CallDeps, callTool } from "./call-tool.ts";
export { fitRows, presentFault, type ToolAnswer, type ToolSite } from "./present.ts";
export { type ReadyTool, readyTools } from "./report-tools.ts";
export { registerMcp } from "./routes.ts";
