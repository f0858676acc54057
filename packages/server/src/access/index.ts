export { cookieNames } from "./cookie-names.ts";
export { ownsOrganization } from "./credential-store.ts";
export { checkOrigin, csrfKey, csrfToken } from "./csrf.ts";
export type { Guard } from "./guard.ts";
export { registerAccess } from "./plugin.ts";
export { type Caller, type KeyScope, keyScopes, type SiteRole } from "./principal.ts";
export { sessionScopes } from "./roles.ts";
export { ACCESS_TOKEN_SECONDS, sessionTokenKey, signSessionToken } from "./session-token.ts";
export { type ReachableSite, reachableSites, reachableSitesOf } from "./site-store.ts";
