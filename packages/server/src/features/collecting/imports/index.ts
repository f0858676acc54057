/** Imports: files of other tools become rows that can be told apart, left out and taken back. */

export type { ImportDeps } from "./deps.ts";
export { removeImportsOf } from "./remove-imports-of.ts";
export { registerImports } from "./routes.ts";
