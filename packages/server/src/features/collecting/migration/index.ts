/** Migration jobs: figures of the older service come over as an import. */

export type { MigrationDeps } from "./deps.ts";
export { registerMigration } from "./routes.ts";
