/** OAuth 2.1 server: apps ask, users decide about one site, and tokens are given out and taken back. */

export { decide } from "./consent/decide.ts";
export { type OnboardingDeps, onboard } from "./consent/onboard.ts";
export { findRequest, mayDecideOn, type PendingRequest, sitesToChoose } from "./consent/pending-request.ts";
export { endGrantsOf, endLostGrant } from "./grants/end-grant.ts";
export { dropEndedAccess } from "./grants/retention.ts";
export { registerDiscovery } from "./protocol/discovery-routes.ts";
export { registerOAuth } from "./routes.ts";
