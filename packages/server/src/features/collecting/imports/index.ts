/** Imports: files of other tools become rows that can be told apart, left out and taken back. */

export { followImport, importContent, importLocalFile } from "./create-import.ts";
export type { FilingDeps, ImportDeps } from "./deps.ts";
export { removeImport, removeImportsOf } from "./end-import.ts";
export { type ImportedSum, type ImportSource, importSources } from "./formats/format.ts";
export { defaultTimezone } from "./formats/index.ts";
export { registerImportJobs } from "./import-jobs.ts";
export { presentImport } from "./present.ts";
export { shortfallOf } from "./report-warnings.ts";
export { registerImports } from "./routes.ts";
export { findSiteImport, type ImportRow } from "./store.ts";
