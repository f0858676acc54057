/** The pages on which people allow apps to read a site. */

import type { App } from "../../../platform/http/app.ts";
import { openPages } from "../../../platform/http/pages/page-routes.ts";
import { registerDecision } from "./decision-routes.ts";
import { type ConsentPagesDeps, consentPages } from "./page-routes.ts";
import { registerSignIn } from "./sign-in-routes.ts";
import { registerSignUp } from "./sign-up-routes.ts";

/**
 * The pages, at the root of the host, on which people answer the request of an app: they sign in or sign up, see who asks
 * for what, choose a site, and allow or deny. They work without JavaScript.
 */
export function registerConsentPages(app: App, deps: ConsentPagesDeps): void {
	const set = consentPages(deps);
	openPages(app, set, (pages) => {
		registerDecision(pages, set, deps);
		registerSignIn(pages, set, deps);
		registerSignUp(pages, set, deps);
	});
}
