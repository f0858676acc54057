export { changeSites, endSitesOf } from "./change-sites.ts";
export { addSite, createSite } from "./create-site.ts";
export type { CountedHits, RejectionWindow, SiteDeps } from "./deps.ts";
export { describeSite, describeSites } from "./describe-sites.ts";
export { addDomain, removeDomain } from "./domains.ts";
export { coversHit, type ForgottenDays, forgetVisits } from "./facts/forgotten-visits.ts";
export { createSiteDirectory } from "./facts/site-directory.ts";
export { readSiteFacts, type SiteDirectory, type SiteFacts } from "./facts/site-facts.ts";
export { describeGoal, type GoalMatcher } from "./goals.ts";
export {
	deleteSiteMember,
	deleteSiteMembersOf,
	insertSiteMember,
	isKnownUser,
	siteRolesIn,
	sitesOfOrganization,
} from "./members-store.ts";
export { normalizeDomain, normalizeTimezone } from "./normalize.ts";
export { PURGED_AFTER_MS, presentPixel } from "./present.ts";
export { registerSites } from "./routes.ts";
export { mayAddUser } from "./site-users.ts";
export { countSiteChange, findSite, isPurged, listSites, lockSite, type SiteRow, setSiteActive } from "./store.ts";
export { changeSite } from "./update-site.ts";
