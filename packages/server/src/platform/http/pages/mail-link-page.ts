import type { App } from "../app.ts";
import { acceptForms, fieldOf } from "./forms.ts";
import { HtmlPage } from "./open-pages.ts";
import { type Page, sendPage } from "./page.ts";

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

/** Opens the page of a link; mail programs post to it by themselves (RFC 8058). */
export function registerMailLinkPage(app: App, { url, tag, look, answer, deadLink }: MailLinkPage): void {
	const schema = { tags: [tag], hide: true, response: { 200: HtmlPage, 404: HtmlPage } };
	const config = { guard: { kind: "public" } } as const;
	app.register(async (scope) => {
		const pages = scope as App;
		acceptForms(pages);
		// Mail programs may post in this form; they have one thing to say, which the address says already.
		pages.addContentTypeParser("multipart/form-data", { parseAs: "string" }, (_request, _body, done) => done(null, {}));
		pages.route({
			method: "GET",
			url,
			schema: { ...schema, summary: "The page of a link in a mail" },
			config,
			handler: async (request, reply) => {
				const page = await look(fieldOf(request.query, "token"));
				return sendPage(reply, page === undefined ? 404 : 200, page ?? deadLink, "no-referrer");
			},
		});
		pages.route({
			method: "POST",
			url,
			schema: { ...schema, summary: "The answer to a link in a mail" },
			config,
			handler: async (request, reply) => {
				const page = await answer(fieldOf(request.query, "token"), (name) => fieldOf(request.body, name));
				return sendPage(reply, page === undefined ? 404 : 200, page ?? deadLink, "no-referrer");
			},
		});
	});
}
