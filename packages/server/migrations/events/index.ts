export { eventMigrations, migrateEvents } from "./migrate-events.ts";
