export type { Topology } from "./create-table.ts";
export { eventMigrations, migrateEvents } from "./migrate-events.ts";
