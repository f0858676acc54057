import type { App } from "../app.ts";
import { failurePage } from "./error-pages.ts";
import type { Page } from "./page.ts";
import { fieldOf, openPages, type PageSet, type PageVisit, showPage, takeForm } from "./page-routes.ts";

/** The page behind a link in mails that says by its token alone who has it; a form of one answer is on it. */
export interface MailLinkPage {
	/** At the root of the host. */
	readonly url: string;
	readonly tag: string;
	/** The page for a token; undefined when the link is dead. Looking at it changes nothing. */
	readonly look: (token: string) => Promise<Page | undefined>;
	/** The page after an answer; `field` reads the form, which is empty when a mail program posted. */
	readonly answer: (token: string, field: (name: string) => string) => Promise<Page | undefined>;
	/** Shown with 404. */
	readonly deadLink: Page;
}

interface Visit extends PageVisit {
	/** It stands in the address, also in that of the form. */
	readonly token: string;
	readonly page: Page;
}

const guard = { kind: "public" } as const;

/** Opens the page of a link; mail programs post to it by themselves (RFC 8058). */
export function registerMailLinkPage(app: App, { url, tag, look, answer, deadLink }: MailLinkPage): void {
	const set: PageSet<Visit> = {
		tag,
		referrer: "no-referrer",
		isForPrograms: true,
		failurePage: failurePage("Please try again in a while. The link still works."),
		nothingPage: deadLink,
		look: async (seen) => {
			const token = fieldOf(seen.request.query, "token");
			const page = await look(token);
			return page && { ...seen, token, page };
		},
	};
	openPages(app, set, (pages) => {
		// Mail programs may post in this form; they have one thing to say, which the address says already.
		pages.addContentTypeParser("multipart/form-data", { parseAs: "string" }, (_request, _body, done) => done(null, {}));
		showPage(pages, set, { url, guard, summary: "The page of a link in a mail" }, async ({ page }) => page);
		takeForm(pages, set, { url, guard, summary: "The answer to a link in a mail" }, async (visit) => {
			const answered = await answer(visit.token, visit.field);
			return answered ?? visit.show(deadLink, 404);
		});
	});
}
