/** The application for the browser: its files, and the page with what it needs to begin. */
export { type Dashboard, readDashboard, registerDashboard } from "./routes.ts";
