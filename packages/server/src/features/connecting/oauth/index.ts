/** OAuth 2.1 server: apps ask, users decide about one site, and tokens are given out and taken back. */

export { decide } from "./decide.ts";
export { registerDiscovery } from "./discovery-routes.ts";
export { endGrantsOf, endLostGrant } from "./end-grant.ts";
export { type OnboardingDeps, onboard } from "./onboard.ts";
export { findRequest, mayDecideOn, type PendingRequest, sitesToChoose } from "./pending-request.ts";
export { dropEndedAccess } from "./retention.ts";
export { registerOAuth } from "./routes.ts";
