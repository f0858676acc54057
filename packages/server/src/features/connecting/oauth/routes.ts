import type { App } from "../../../platform/http/app.ts";
import { type ConsentDeps, registerConsent } from "./consent/consent-routes.ts";
import type { OAuthClientDeps } from "./deps.ts";
import { registerConnections } from "./grants/connections-routes.ts";
import { registerProtocol } from "./protocol/protocol-routes.ts";

/** Everything that the OAuth routes need. */
export interface OAuthRouteDeps extends OAuthClientDeps, ConsentDeps {}

/** Routes by which apps get access to a site, and by which users give and take it. */
export function registerOAuth(app: App, deps: OAuthRouteDeps): void {
	registerProtocol(app, deps);
	registerConsent(app, deps);
	registerConnections(app, deps);
}
