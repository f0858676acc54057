import type { App } from "../../../platform/http/app.ts";
import { answerForm } from "../../../platform/http/pages/form.ts";
import { type Html, html } from "../../../platform/http/pages/html.ts";
import { registerMailLinkPage } from "../../../platform/http/pages/mail-link-page.ts";
import type { Page } from "../../../platform/http/pages/page.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { ANSWER_MS, type Recipient, readRecipientToken, type SiteMailDeps } from "./standings.ts";
import { type AnswerRow, mailRecipients } from "./store.ts";

type PageDeps = Omit<SiteMailDeps, "mailer" | "jobs">;

/** Last answer of a link's holder; `late` if it came after the deadline, or they have been asked again since. */
type Answer = "none" | "yes" | "no" | "late";

const rowOf = (metadata: Metadata, { siteId, email }: Recipient): Promise<AnswerRow | undefined> =>
	mailRecipients.find(metadata, { site_id: siteId, email });

function answerIn(row: AnswerRow | undefined, { askedAt }: Recipient, nowMs: number): Answer {
	if (row === undefined || row.asked_at !== askedAt) return "late";
	if (row.refused_at !== null) return "no";
	if (row.agreed_at !== null) return "yes";
	return askedAt > nowMs - ANSWER_MS ? "none" : "late";
}

/** Notes an answer: the first one in time, another one whenever somebody changes their mind. Answers what holds then. */
function giveAnswer(
	{ metadata, clock }: Pick<PageDeps, "metadata" | "clock">,
	recipient: Recipient,
	given: "yes" | "no",
): Promise<Answer> {
	const nowMs = clock.now();
	return metadata.transaction().execute(async (trx) => {
		const before = answerIn(await rowOf(trx, recipient), recipient, nowMs);
		if (before === "late" || before === given) return before;
		const { siteId, email, askedAt } = recipient;
		const answer = given === "yes" ? { agreed_at: nowMs, refused_at: null } : { refused_at: nowMs };
		await mailRecipients.update(trx, { site_id: siteId, email, asked_at: askedAt }, answer);
		return given;
	});
}

interface Asked {
	readonly token: string;
	readonly site: string;
}

const form = ({ token }: Asked, answer: "yes" | "no", button: Html): Html =>
	answerForm({ url: "/mail-recipients", token }, button, { answer });

const yes = html`<button class="main" type="submit">Receive emails</button>`;
const no = html`<button type="submit">Do not send emails</button>`;

const pages: Readonly<Record<Exclude<Answer, "late">, (asked: Asked) => Page>> = {
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

/** Shown for a link that this service did not make, or that has ended. */
const deadLinkPage: Page = {
	title: "This link is not valid",
	body: html`<p>It has expired or is incomplete. You receive nothing unless you agree.</p>`,
};

/** The page behind the link of each question, on which people agree to mails about a site or end them, and the deletion of unanswered questions. */
export function registerMailRecipients(app: App, deps: Omit<SiteMailDeps, "mailer">): void {
	registerMailLinkPage(app, {
		url: "/mail-recipients",
		tag: "Mail recipients",
		deadLink: deadLinkPage,
		look: (token) =>
			pageOf(deps, token, async (recipient) =>
				answerIn(await rowOf(deps.metadata, recipient), recipient, deps.clock.now()),
			),
		answer: (token, field) =>
			pageOf(deps, token, (recipient) => giveAnswer(deps, recipient, field("answer") === "yes" ? "yes" : "no")),
	});
	deps.jobs.schedule("mail-recipients-retention", "17 4 * * *", () => {
		const unanswered = { agreed_at: null, refused_at: null, asked_at: { "<=": deps.clock.now() - ANSWER_MS } };
		return mailRecipients.drop(deps.metadata, unanswered);
	});
}

async function pageOf(
	deps: PageDeps,
	token: string,
	answer: (recipient: Recipient) => Promise<Answer>,
): Promise<Page | undefined> {
	const recipient = readRecipientToken(deps, token);
	const site = recipient && deps.sites.get(recipient.siteId);
	if (recipient === undefined || site === undefined) return undefined;
	const said = await answer(recipient);
	return said === "late" ? undefined : pages[said]({ token, site: site.name });
}
