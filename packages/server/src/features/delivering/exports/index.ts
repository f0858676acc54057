/** Exports: files of reports and events, made at once or in the background, behind links of 24 hours. */

export { registerExports } from "./routes.ts";
