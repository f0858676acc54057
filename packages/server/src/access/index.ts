export {
	AccountQuery,
	account,
	readingAccount,
	writingAccount,
	writingAccountOfOrganization,
} from "./account-routes.ts";
export { type BrowserSession, browserSession } from "./browser-session.ts";
export { refuseImpersonator } from "./check-guard.ts";
export { cookieNames } from "./cookie-names.ts";
export { ownsOrganization } from "./credential-store.ts";
export { csrfKey, csrfToken } from "./csrf.ts";
export { actingAs } from "./delegation.ts";
export type { Guard } from "./guard.ts";
export { newOAuthToken } from "./oauth-token.ts";
export { findOrganizationFor } from "./organization-store.ts";
export { registerAccess } from "./plugin.ts";
export {
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
export { ACCESS_TOKEN_SECONDS, signSessionToken } from "./session-token.ts";
export { SHARE_TOKEN_SECONDS, signShareToken } from "./share-token.ts";
export { type SharedView, type ShareList, shareLists } from "./shared-view.ts";
export type { SiteAddressPolicy, SiteVisit } from "./site-address-policy.ts";
export { findSiteFor, type ReachableSite, reachableSiteIds, reachableSites, reachableSitesOf } from "./site-store.ts";
