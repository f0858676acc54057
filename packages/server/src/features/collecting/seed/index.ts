/** Seeding: plausible traffic for a demonstration or a measurement. */
export { type SeedOptions, type SeedResult, seedSite } from "./seed-site.ts";
