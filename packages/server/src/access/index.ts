export { cookieNames } from "./cookie-names.ts";
export { ownsOrganization } from "./credential-store.ts";
export { checkOrigin, csrfKey, csrfToken } from "./csrf.ts";
export type { Guard } from "./guard.ts";
export { type AccessDeps, registerAccess } from "./plugin.ts";
export {
	type Caller,
	type KeyScope,
	keyScopes,
	type Principal,
	type SessionScope,
	type SiteRole,
} from "./principal.ts";
export { effectiveRole, sessionScopes } from "./roles.ts";
export { ACCESS_TOKEN_SECONDS, type SessionClaims, sessionTokenKey, signSessionToken } from "./session-token.ts";
export { findSiteFor, type ReachableSite, type RequestSite, reachableSites, reachableSitesOf } from "./site-store.ts";
