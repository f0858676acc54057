import type { App } from "../../../platform/http/app.ts";
import { registerMailLinkPage } from "../../../platform/http/pages/mail-link-page.ts";
import type { MailReportDeps } from "./deps.ts";
import { deleteRefusal, insertRefusal } from "./store.ts";
import { againPage, askPage, deadLinkPage, donePage } from "./unsubscribe-page.ts";
import { readUnsubscribeToken, type Subscription } from "./unsubscribe-token.ts";

/** The page behind the link of each mail, on which it is ended, or wanted again. */
export function registerUnsubscribe(app: App, deps: MailReportDeps): void {
	registerMailLinkPage(app, {
		url: "/mail-reports/unsubscribe",
		tag: "Mail reports",
		deadLink: deadLinkPage,
		look: async (token) => {
			const link = linkOf(deps, token);
			return link && askPage(link);
		},
		answer: async (token, field) => {
			const link = linkOf(deps, token);
			if (link === undefined) return undefined;
			if (field("again") === "yes") {
				await deleteRefusal(deps.metadata, link.siteId, link.email);
				return againPage(link);
			}
			await insertRefusal(deps.metadata, link.siteId, link.email, deps.clock.now());
			return donePage(link);
		},
	});
}

function linkOf(deps: MailReportDeps, token: string): (Subscription & { token: string; site: string }) | undefined {
	const subscription = readUnsubscribeToken(deps, token);
	const site = subscription && deps.sites.get(subscription.siteId);
	return subscription && site && { ...subscription, token, site: site.name };
}
