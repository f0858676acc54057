import type { App } from "../../../platform/http/app.ts";
import { answerForm } from "../../../platform/http/pages/form.ts";
import { html } from "../../../platform/http/pages/html.ts";
import { registerMailLinkPage } from "../../../platform/http/pages/mail-link-page.ts";
import type { Page } from "../../../platform/http/pages/page.ts";
import { createValueSealer, type ServerSecrets } from "../../../platform/lib/sealer.ts";
import type { MailReportDeps } from "./change-reports.ts";
import { reportRefusals } from "./store.ts";

interface Subscription {
	readonly siteId: string;
	readonly email: string;
}

/** Neither address nor site can be read from a token, or changed. */
const sealerOf = (secrets: ServerSecrets) =>
	createValueSealer<[siteId: string, email: string]>(secrets, "mail-reports");

export function readUnsubscribeToken(secrets: ServerSecrets, token: string): Subscription | undefined {
	const [siteId, email] = sealerOf(secrets).open(token) ?? [];
	return siteId === undefined || email === undefined ? undefined : { siteId, email };
}

export const unsubscribeUrl = (
	deps: ServerSecrets & { readonly rootUrl: string },
	{ siteId, email }: Subscription,
): string => `${deps.rootUrl}/mail-reports/unsubscribe?token=${sealerOf(deps).seal([siteId, email])}`;

interface Link extends Subscription {
	readonly token: string;
	/** Name of the site. */
	readonly site: string;
}

const url = "/mail-reports/unsubscribe";

/** Shown for the link: programs that prefetch links must not unsubscribe anybody. */
const askPage = (link: Link): Page => ({
	title: "Unsubscribe",
	body: html`<p>You receive reports of <strong>${link.site}</strong> by email.</p>
${answerForm({ url, ...link }, html`<button class="main" type="submit">Unsubscribe</button>`)}`,
});

const donePage = (link: Link): Page => ({
	title: "You are unsubscribed",
	body: html`<p>You no longer receive reports of <strong>${link.site}</strong>.</p>
${answerForm({ url, ...link }, html`<button type="submit">Subscribe again</button>`, { again: "yes" })}`,
});

const againPage = (link: Link): Page => ({
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
		url,
		tag: "Mail reports",
		deadLink: deadLinkPage,
		look: async (token) => {
			const link = linkOf(deps, token);
			return link && askPage(link);
		},
		answer: async (token, field) => {
			const link = linkOf(deps, token);
			if (link === undefined) return undefined;
			const refusal = { site_id: link.siteId, email: link.email };
			if (field("again") === "yes") {
				await reportRefusals.drop(deps.metadata, refusal);
				return againPage(link);
			}
			const refused = { ...refusal, refused_at: deps.clock.now() };
			await reportRefusals.insertUnlessTaken(deps.metadata, refused, "site_id", "email");
			return donePage(link);
		},
	});
}

function linkOf(deps: MailReportDeps, token: string): Link | undefined {
	const subscription = readUnsubscribeToken(deps, token);
	const site = subscription && deps.sites.get(subscription.siteId);
	return subscription && site && { ...subscription, token, site: site.name };
}
