import type { App } from "../../../platform/http/app.ts";
import { registerConnections } from "./connections-routes.ts";
import { type ConsentDeps, registerConsent } from "./consent-routes.ts";
import type { OAuthClientDeps } from "./deps.ts";
import { registerProtocol } from "./protocol-routes.ts";

/** Everything that the OAuth routes need. */
export interface OAuthRouteDeps extends OAuthClientDeps, ConsentDeps {}

/** Routes by which apps get access to a site, and by which users give and take it. */
export function registerOAuth(app: App, deps: OAuthRouteDeps): void {
	registerProtocol(app, deps);
	registerConsent(app, deps);
	registerConnections(app, deps);
}
