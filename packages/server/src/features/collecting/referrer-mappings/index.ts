/** Referrer mappings: a site's own names for the domains that visits come from. */

export { loadReferrerMappings } from "./load-mappings.ts";
export { registerReferrerMappings } from "./routes.ts";
