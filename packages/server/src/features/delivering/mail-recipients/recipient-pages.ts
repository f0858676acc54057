import { answerForm } from "../../../platform/http/pages/form.ts";
import { type Html, html } from "../../../platform/http/pages/html.ts";
import type { Page } from "../../../platform/http/pages/page.ts";
import type { Answer } from "./answer-question.ts";

interface Asked {
	readonly token: string;
	/** Name of the site. */
	readonly site: string;
}

const form = ({ token }: Asked, answer: "yes" | "no", button: Html): Html =>
	answerForm({ url: "/mail-recipients", token }, button, { answer });

const yes = html`<button class="main" type="submit">Yes, send me mails</button>`;
const no = html`<button type="submit">Send me no mails</button>`;

/** Answers that the page of a live link shows. */
type LiveAnswer = Exclude<Answer, "late">;

/** The page of a link, by what was answered. */
const pages: Readonly<Record<LiveAnswer, (asked: Asked) => Page>> = {
	none: (asked) => ({
		title: "Mails about a site",
		body: html`<p>Somebody who manages <strong>${asked.site}</strong> wants to send you its summaries and alerts by mail.</p>
${form(asked, "yes", yes)}
${form(asked, "no", no)}`,
	}),
	yes: (asked) => ({
		title: "You get mails about a site",
		body: html`<p>Summaries and alerts of <strong>${asked.site}</strong> come to you by mail.</p>
${form(asked, "no", no)}`,
	}),
	no: (asked) => ({
		title: "You get no mails",
		body: html`<p>No summaries or alerts of <strong>${asked.site}</strong> come to you by mail.</p>
${form(asked, "yes", html`<button type="submit">Send me mails</button>`)}`,
	}),
};

/** The page of a link after an answer. */
export const recipientPage = (answer: LiveAnswer, asked: Asked): Page => pages[answer](asked);

/** Shown for a link that this service did not make, or that has ended. */
export const deadLinkPage: Page = {
	title: "This link is not valid",
	body: html`<p>It has ended or is not complete. Nothing is sent to you unless you agree.</p>`,
};
