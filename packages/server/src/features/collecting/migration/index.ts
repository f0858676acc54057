/** Migration jobs: figures of the older service come over as an import. */

export { registerMigration } from "./routes.ts";
