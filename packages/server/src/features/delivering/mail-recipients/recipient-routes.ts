import type { App } from "../../../platform/http/app.ts";
import { registerMailLinkPage } from "../../../platform/http/pages/mail-link-page.ts";
import type { Page } from "../../../platform/http/pages/page.ts";
import { type Answer, findAnswer, giveAnswer } from "./answer-question.ts";
import type { RecipientPageDeps } from "./deps.ts";
import { type Recipient, readRecipientToken } from "./recipient-link.ts";
import { deadLinkPage, recipientPage } from "./recipient-pages.ts";

/** The page behind the link of each question, on which people agree to mails or end them. */
export function registerRecipientPages(app: App, deps: RecipientPageDeps): void {
	registerMailLinkPage(app, {
		url: "/mail-recipients",
		tag: "Mail recipients",
		deadLink: deadLinkPage,
		look: (token) => pageOf(deps, token, (recipient) => findAnswer(deps, recipient)),
		answer: (token, field) =>
			pageOf(deps, token, (recipient) => giveAnswer(deps, recipient, field("answer") === "yes" ? "yes" : "no")),
	});
}

async function pageOf(
	deps: RecipientPageDeps,
	token: string,
	answer: (recipient: Recipient) => Promise<Answer>,
): Promise<Page | undefined> {
	const recipient = readRecipientToken(deps, token);
	const site = recipient && deps.sites.get(recipient.siteId);
	if (recipient === undefined || site === undefined) return undefined;
	const said = await answer(recipient);
	return said === "late" ? undefined : recipientPage(said, { token, site: site.name });
}
