/** OAuth 2.1 server: apps ask, users decide about one site, and tokens are given out and taken back. */

import type { App } from "../../../platform/http/app.ts";
import { type ConsentDeps, registerConsent } from "./consent/consent-routes.ts";
import type { OAuthClientDeps } from "./deps.ts";
import { registerConnections } from "./grants/connections-routes.ts";
import { registerProtocol } from "./protocol/protocol-routes.ts";

export { type OnboardingDeps, onboard } from "./consent/consent-routes.ts";
export { decide, findRequest, mayDecideOn, type PendingRequest, sitesToChoose } from "./consent/decide.ts";
export { dropEndedAccess, endGrantsOf, endLostGrant } from "./grants/end-grant.ts";
export { registerDiscovery } from "./protocol/discovery-routes.ts";

/** Routes by which apps get access to a site, and by which users give and take it. */
export function registerOAuth(app: App, deps: OAuthClientDeps & ConsentDeps): void {
	registerProtocol(app, deps);
	registerConsent(app, deps);
	registerConnections(app, deps);
}
