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

const yes = html`<button class="main" type="submit">Receive emails</button>`;
const no = html`<button type="submit">Do not send emails</button>`;

/** Answers that the page of a live link shows. */
type LiveAnswer = Exclude<Answer, "late">;

/** The page of a link, by what was answered. */
const pages: Readonly<Record<LiveAnswer, (asked: Asked) => Page>> = {
	none: (asked) => ({
		title: "Emails about a site",
		body: html`<p>Someone who manages <strong>${asked.site}</strong> wants to send you its reports and alerts by email.</p>
${form(asked, "yes", yes)}
${form(asked, "no", no)}`,
	}),
	yes: (asked) => ({
		title: "You receive emails about a site",
		body: html`<p>You receive reports and alerts of <strong>${asked.site}</strong> by email.</p>
${form(asked, "no", no)}`,
	}),
	no: (asked) => ({
		title: "You receive no emails",
		body: html`<p>You receive no reports or alerts of <strong>${asked.site}</strong>.</p>
${form(asked, "yes", html`<button type="submit">Receive emails</button>`)}`,
	}),
};

/** The page of a link after an answer. */
export const recipientPage = (answer: LiveAnswer, asked: Asked): Page => pages[answer](asked);

/** Shown for a link that this service did not make, or that has ended. */
export const deadLinkPage: Page = {
	title: "This link is not valid",
	body: html`<p>It has expired or is incomplete. You receive nothing unless you agree.</p>`,
};
