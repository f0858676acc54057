/** Referrer mappings: a site's own names for the domains that visits come from. */

export { registerReferrerMappings } from "./referrer-mappings.ts";
export { loadReferrerMappings } from "./store.ts";
