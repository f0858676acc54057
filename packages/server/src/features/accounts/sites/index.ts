export { createSite } from "./create-site.ts";
export type { RejectionWindow, SiteDeps, SiteRouteDeps } from "./deps.ts";
export { addDomain, removeDomain } from "./domains.ts";
export { registerSites } from "./routes.ts";
export { createSiteDirectory, type RunningSiteDirectory } from "./site-directory.ts";
export type { SiteDirectory, SiteFacts, UtmMapping } from "./site-facts.ts";
export { findSite, listSites, type SiteRow } from "./store.ts";
export { changeSite } from "./update-site.ts";
