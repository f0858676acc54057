/** The tools by which assistants read sites, and the protocol that serves them (MCP). */

export type { Asker } from "./asker.ts";
export { askerOf } from "./asker.ts";
export { type CallDeps, callTool } from "./call-tool.ts";
export { presentFault, type ToolAnswer } from "./present.ts";
export { type ReadyTool, readyTools } from "./report-tools.ts";
export { registerMcp } from "./routes.ts";
export { fitRows } from "./shorten.ts";
