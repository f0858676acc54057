import type { App } from "../../../platform/http/app.ts";
import { openPages } from "../../../platform/http/pages/page-routes.ts";
import { registerAccountPages } from "./account-routes.ts";
import { registerClaimPages } from "./claim-routes.ts";
import { registerInvitationPages } from "./invitation-routes.ts";
import { type LinkPagesDeps, linkFailurePage, referrer } from "./page-routes.ts";

/**
 * The pages, at the root of the host, that the links of mails lead to. They work without JavaScript, and do what they do by
 * the verbs and within the limits of the API. To open a link changes nothing: a form does.
 */
export function registerLinkPages(app: App, deps: LinkPagesDeps): void {
	openPages(app, { failurePage: linkFailurePage, referrer }, (pages) => {
		registerAccountPages(pages, deps);
		registerInvitationPages(pages, deps);
		registerClaimPages(pages, deps);
	});
}
