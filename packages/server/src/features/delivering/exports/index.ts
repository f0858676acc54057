/** Exports: files of reports and events, made at once or in the background, behind links of 24 hours. */

export { removeExportsOf } from "./remove-export.ts";
export { registerExports } from "./routes.ts";
