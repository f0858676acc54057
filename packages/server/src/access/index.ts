export { refuseImpersonator } from "./check-guard.ts";
export { ownsOrganization } from "./credential-store.ts";
export { csrfKey, csrfToken } from "./csrf.ts";
export { actingAs } from "./delegation.ts";
export type { Guard } from "./guard.ts";
export {
	AccountQuery,
	account,
	readingAccount,
	writingAccount,
	writingAccountOfOrganization,
} from "./guard.ts";
export { newOAuthToken } from "./oauth-token.ts";
export { findOrganizationFor } from "./organization-store.ts";
export { registerAccess } from "./plugin.ts";
export {
	type BrowserSession,
	browserSession,
	type Caller,
	type KeyScope,
	keyScopes,
	type OAuthAudience,
	type OrgRole,
	orgRoles,
	type Principal,
	type Reader,
	type SiteRole,
	siteRoles,
} from "./principal.ts";
export { createRequestLimits, type RequestLimits } from "./request-limits.ts";
export { effectiveRole, orgRoleReaches, roleReaches, sessionScopes } from "./roles.ts";
export { ACCESS_TOKEN_SECONDS, cookieNames, signSessionToken } from "./session-token.ts";
export { SHARE_TOKEN_SECONDS, signShareToken } from "./shared-link.ts";
export { type SharedView, type ShareList, shareLists } from "./shared-view.ts";
export { findSiteFor, type ReachableSite, reachableSiteIds, reachableSites, reachableSitesOf } from "./site-store.ts";
export type { SiteAddressPolicy, SiteVisit } from "./site-visit.ts";
