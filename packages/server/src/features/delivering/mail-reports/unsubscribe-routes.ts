import type { App } from "../../../platform/http/app.ts";
import { answerForm } from "../../../platform/http/pages/form.ts";
import { html } from "../../../platform/http/pages/html.ts";
import { registerMailLinkPage } from "../../../platform/http/pages/mail-link-page.ts";
import type { Page } from "../../../platform/http/pages/page.ts";
import { createValueSealer, type ServerSecrets } from "../../../platform/lib/sealer.ts";
import type { MailReportDeps } from "./change-reports.ts";
import { insertRefusal, reportRefusals } from "./store.ts";

interface Subscription {
	readonly siteId: string;
	readonly email: string;
}

/** Neither address nor site can be read from a token, or changed. */
const sealerOf = (secrets: ServerSecrets) =>
	createValueSealer<[siteId: string, email: string]>(secrets, "mail-reports");

export function readUnsubscribeToken(secrets: ServerSecrets, token: string): Subscription | undefined {
	const opened = sealerOf(secrets).open(token);
	if (opened === undefined) return undefined;
	const [siteId, email] = opened;
	return { siteId, email };
}

export const unsubscribeUrl = (
	deps: ServerSecrets & { readonly rootUrl: string },
	{ siteId, email }: Subscription,
): string => `${deps.rootUrl}/mail-reports/unsubscribe?token=${sealerOf(deps).seal([siteId, email])}`;

interface UnsubscribeLink {
	readonly token: string;
	readonly site: string;
}

const url = "/mail-reports/unsubscribe";

/** Shown for the link: programs that prefetch links must not unsubscribe anybody. */
const askPage = (link: UnsubscribeLink): Page => ({
	title: "Unsubscribe",
	body: html`<p>You receive reports of <strong>${link.site}</strong> by email.</p>
${answerForm({ url, ...link }, html`<button class="main" type="submit">Unsubscribe</button>`)}`,
});

const donePage = (link: UnsubscribeLink): Page => ({
	title: "You are unsubscribed",
	body: html`<p>You no longer receive reports of <strong>${link.site}</strong>.</p>
${answerForm({ url, ...link }, html`<button type="submit">Subscribe again</button>`, { again: "yes" })}`,
});

const againPage = (link: UnsubscribeLink): Page => ({
	title: "You are subscribed again",
	body: html`<p>You receive reports of <strong>${link.site}</strong> again.</p>
${answerForm({ url, ...link }, html`<button type="submit">Unsubscribe</button>`)}`,
});

/** Shown for a link that this service did not make. */
const deadLinkPage: Page = {
	title: "This link is not valid",
	body: html`<p>Use the link in the latest report, or ask the people who manage the site to remove your address.</p>`,
};

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
				await reportRefusals.delete(deps.metadata, { site_id: link.siteId, email: link.email });
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
