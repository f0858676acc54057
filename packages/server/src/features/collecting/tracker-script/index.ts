export { registerTrackerScript } from "./routes.ts";
export { ScriptRequests } from "./script-requests.ts";
