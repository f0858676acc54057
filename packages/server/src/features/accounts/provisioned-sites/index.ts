export { insertProvisionedSite } from "./store.ts";
export { endUnclaimedSites, siteOf, wakeSite } from "./unclaimed-sites.ts";
