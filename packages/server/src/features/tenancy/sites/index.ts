export { addSite, changeSite, changeSites, createSite, endSitesOf } from "./change-sites.ts";
export type { CountedHits, RejectionWindow, SiteChangeDeps, SiteDeps } from "./deps.ts";
export { addDomain, removeDomain } from "./domains.ts";
export {
	coversHit,
	createSiteDirectory,
	type ForgottenDays,
	forgetVisits,
	readSiteFacts,
	type SiteDirectory,
	type SiteFacts,
} from "./facts/site-directory.ts";
export { describeGoal, type GoalMatcher } from "./goals.ts";
export { deleteSiteMembersOf, isKnownUser, siteRolesIn } from "./members-store.ts";
export { normalizeDomain, normalizeTimezone } from "./normalize.ts";
export { presentPixel } from "./pixel-routes.ts";
export { describeSite, describeSites, PURGED_AFTER_MS } from "./present.ts";
export { registerSites } from "./routes.ts";
export { readingSiteAs, writingSite } from "./schemas.ts";
export { mayAddUser } from "./site-users.ts";
export {
	countSiteChange,
	findSite,
	isPurged,
	listSites,
	type SiteRow,
	setSiteActive,
	siteMembers,
	sitesOfOrganization,
} from "./store.ts";
