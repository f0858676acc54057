import type { App } from "../../../platform/http/app.ts";
import { openPages } from "../../../platform/http/pages/open-pages.ts";
import { registerChangeAddressPages } from "./change-address-routes.ts";
import { registerClaimPages } from "./claim-routes.ts";
import { registerInvitationPages } from "./invitation-routes.ts";
import { type LinkPagesDeps, linkFailurePage, referrer } from "./page-routes.ts";
import { registerResetPasswordPages } from "./reset-password-routes.ts";
import { registerVerifyEmailPages } from "./verify-email-routes.ts";

/**
 * The pages, at the root of the host, that the links of mails lead to. They work without JavaScript, and do what they do by
 * the verbs and within the limits of the API. To open a link changes nothing: a form does.
 */
export function registerLinkPages(app: App, deps: LinkPagesDeps): void {
	openPages(app, { failurePage: linkFailurePage, referrer }, (pages) => {
		registerVerifyEmailPages(pages, deps);
		registerResetPasswordPages(pages, deps);
		registerChangeAddressPages(pages, deps);
		registerInvitationPages(pages, deps);
		registerClaimPages(pages, deps);
	});
}
