/** The application for the browser: its files, and the page with what it needs to begin. */
export { type Dashboard, readDashboard } from "./built-files.ts";
export { registerDashboard } from "./routes.ts";
