/** Seeding: plausible traffic for a demonstration or a measurement. */
export { seedSite } from "./seed-site.ts";
