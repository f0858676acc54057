/** Referrer mappings: a site's own names for the domains that visits come from. */

export { loadReferrerMappings, registerReferrerMappings } from "./referrer-mappings.ts";
