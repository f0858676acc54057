export { registerTrackerScript } from "./routes.ts";
