export { newOAuthToken } from "./authenticate.ts";
export { refuseImpersonator } from "./check-guard.ts";
export { actingAs } from "./delegation.ts";
export type { Guard } from "./guard.ts";
export {
	AccountQuery,
	account,
	readingAccount,
	writingAccount,
	writingAccountOfOrganization,
} from "./guard.ts";
export { registerAccess } from "./plugin.ts";
export {
	type BrowserSession,
	browserSession,
	type Caller,
	effectiveRole,
	type KeyScope,
	keyScopes,
	type OAuthAudience,
	type OrgRole,
	orgRoleReaches,
	orgRoles,
	type Reader,
	roleReaches,
	roleRequired,
	type SiteRole,
	sessionOf,
	sessionScopes,
	siteRoles,
} from "./principal.ts";
export { createRequestLimits } from "./request-limits.ts";
export { ACCESS_TOKEN_SECONDS, cookieNames, csrfKey, csrfToken, signSessionToken } from "./session-token.ts";
export { SHARE_TOKEN_SECONDS, signShareToken } from "./shared-link.ts";
export { type SharedView, type ShareList, shareLists } from "./shared-view.ts";
export {
	findOrganizationFor,
	findSiteFor,
	leadsSome,
	type ReachableSite,
	type RequestSite,
	reachableSiteIds,
	reachableSites,
	reachableSitesOf,
} from "./site-store.ts";
export type { SiteAddressPolicy, SiteVisit } from "./site-visit.ts";
