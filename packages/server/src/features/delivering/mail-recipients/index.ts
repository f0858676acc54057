/** Permitted recipients of mails about a site: its users, and others who agreed. */

import type { App } from "../../../platform/http/app.ts";
import { registerRecipientPages } from "./recipient-routes.ts";
import { ANSWER_MS, type SiteMailDeps } from "./standings.ts";
import { mailRecipients } from "./store.ts";

export {
	askStrangers,
	maybeMailed,
	recipientLink,
	type SiteMailDeps,
	type Standing,
	standingsOf,
} from "./standings.ts";
export { ownerAddresses } from "./store.ts";

/** The page on which people agree to mails about a site or end them, and the deletion of unanswered questions. */
export function registerMailRecipients(app: App, deps: Omit<SiteMailDeps, "mailer">): void {
	registerRecipientPages(app, deps);
	const { metadata, clock, jobs } = deps;
	jobs.schedule("mail-recipients-retention", "17 4 * * *", () => {
		const unanswered = { agreed_at: null, refused_at: null, asked_at: { "<=": clock.now() - ANSWER_MS } };
		return mailRecipients.drop(metadata, unanswered);
	});
}
