export { registerTrackerScript } from "./routes.ts";
export { type ScriptRequestCount, ScriptRequests } from "./script-requests.ts";
