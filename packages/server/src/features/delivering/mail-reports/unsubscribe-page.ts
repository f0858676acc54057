import { answerForm } from "../../../platform/http/pages/form.ts";
import { html } from "../../../platform/http/pages/html.ts";
import type { Page } from "../../../platform/http/pages/page.ts";

/** The link of a mail with the site that it is about. */
export interface UnsubscribeLink {
	readonly token: string;
	readonly site: string;
}

const url = "/mail-reports/unsubscribe";

/** Shown to whoever follows the link: programs that only look at links must not unsubscribe anybody. */
export const askPage = (link: UnsubscribeLink): Page => ({
	title: "Unsubscribe",
	body: html`<p>You get a summary of <strong>${link.site}</strong> by mail.</p>
${answerForm({ url, ...link }, html`<button class="main" type="submit">Send me no more</button>`)}`,
});

/** Shown when it is done. */
export const donePage = (link: UnsubscribeLink): Page => ({
	title: "You are unsubscribed",
	body: html`<p>You get no more summaries of <strong>${link.site}</strong>.</p>
${answerForm({ url, ...link }, html`<button type="submit">Send them again</button>`, { again: "yes" })}`,
});

/** Shown when somebody has changed their mind. */
export const againPage = (link: UnsubscribeLink): Page => ({
	title: "You are subscribed again",
	body: html`<p>You get the summaries of <strong>${link.site}</strong> as before.</p>
${answerForm({ url, ...link }, html`<button type="submit">Send me no more</button>`)}`,
});

/** Shown for a link that this service did not make. */
export const deadLinkPage: Page = {
	title: "This link is not valid",
	body: html`<p>Use the link of the latest summary, or ask whoever manages the site to leave out your address.</p>`,
};
