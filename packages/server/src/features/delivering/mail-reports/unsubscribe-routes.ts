import { Type } from "typebox";
import type { App } from "../../../platform/http/app.ts";
import { acceptForms, fieldOf } from "../../../platform/http/pages/forms.ts";
import { sendPage } from "../../../platform/http/pages/page.ts";
import type { MailReportDeps } from "./deps.ts";
import { deleteRefusal, insertRefusal } from "./store.ts";
import { againPage, askPage, deadLinkPage, donePage } from "./unsubscribe-page.ts";
import { readUnsubscribeToken, type Subscription } from "./unsubscribe-token.ts";

const Html = Type.String({ description: "An HTML page" });
const schema = { tags: ["Mail reports"], hide: true, response: { 200: Html, 404: Html } };
const config = { guard: { kind: "public" } } as const;

/** The page behind the link of each mail, at the root of the host. Mail programs post to it by themselves (RFC 8058). */
export function registerUnsubscribe(app: App, deps: MailReportDeps): void {
	app.register(async (scope) => {
		const pages = scope as App;
		acceptForms(pages);
		// Mail programs may post in this form; they have one thing to say, which the address says already.
		pages.addContentTypeParser("multipart/form-data", { parseAs: "string" }, (_request, _body, done) => done(null, {}));
		pages.route({
			method: "GET",
			url: "/mail-reports/unsubscribe",
			schema: { ...schema, summary: "Asks whether to unsubscribe" },
			config,
			handler: async (request, reply) => {
				const link = linkOf(deps, request.query);
				return link === undefined
					? sendPage(reply, 404, deadLinkPage, "no-referrer")
					: sendPage(reply, 200, askPage(link), "no-referrer");
			},
		});
		pages.route({
			method: "POST",
			url: "/mail-reports/unsubscribe",
			schema: { ...schema, summary: "Unsubscribe, or subscribe again" },
			config,
			handler: async (request, reply) => {
				const link = linkOf(deps, request.query);
				if (link === undefined) return sendPage(reply, 404, deadLinkPage, "no-referrer");
				const isAgain = fieldOf(request.body, "again") === "yes";
				if (isAgain) await deleteRefusal(deps.metadata, link.siteId, link.email);
				else await insertRefusal(deps.metadata, link.siteId, link.email, deps.clock.now());
				return sendPage(reply, 200, isAgain ? againPage(link) : donePage(link), "no-referrer");
			},
		});
	});
}

function linkOf(deps: MailReportDeps, query: unknown): (Subscription & { token: string; site: string }) | undefined {
	const token = fieldOf(query, "token");
	const subscription = readUnsubscribeToken(deps, token);
	const site = subscription && deps.sites.get(subscription.siteId);
	return subscription && site && { ...subscription, token, site: site.name };
}
