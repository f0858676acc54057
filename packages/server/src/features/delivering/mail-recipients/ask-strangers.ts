import { ServiceError } from "../../../platform/errors/service-error.ts";
import { DAY_MS } from "../../../platform/lib/durations.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { plainName } from "../../../platform/outbound/mail/plain-text.ts";
import { recipientLink, type SiteMailDeps } from "./recipient-link.ts";
import { standingsOf } from "./standings.ts";
import { askedOfSite, askInTurn, countAskedOf, listAccounts, noteAsked } from "./store.ts";

/** Questions about one site in a day. */
const MAX_OF_SITE = 30;
/** Questions to one address in a day, for whichever sites. */
const MAX_TO_ADDRESS = 3;

/**
 * Asks the external recipients among some addresses whether they want mails about a site, in the transaction that names
 * them. An address that has refused is not asked again, nor one that many sites ask for. Throws `rate_limit_exceeded`
 * if the site has asked too many people in a day.
 */
export async function askStrangers(
	deps: Omit<SiteMailDeps, "metadata" | "jobs">,
	trx: Metadata,
	{ siteId, emails }: { readonly siteId: string; readonly emails: readonly string[] },
): Promise<void> {
	const nowMs = deps.clock.now();
	const standings = await standingsOf(trx, { siteId, emails, nowMs });
	const strangers = standings.filter(({ name }) => name === "stranger");
	if (strangers.length === 0) return;
	await askInTurn(trx);
	const asked = await askedOfSite(trx, siteId, nowMs - DAY_MS);
	if (asked.length + strangers.length > MAX_OF_SITE) throw tooManyAsked((asked[0] ?? nowMs) + DAY_MS - nowMs);
	const name = plainName(deps.sites.get(siteId)?.name ?? siteId);
	const accounts = await listAccounts(trx, emails);
	const shut = new Set(accounts.filter(({ is_active }) => is_active === 0).map(({ email }) => email));
	for (const { email } of strangers) {
		if ((await countAskedOf(trx, email, nowMs - DAY_MS)) >= MAX_TO_ADDRESS) continue;
		await noteAsked(trx, siteId, email, nowMs);
		// A suspended account gets no mail, and the answer does not reveal that the account exists.
		if (shut.has(email)) continue;
		const link = recipientLink(deps, { siteId, email, askedAt: nowMs });
		await deps.mailer.queue(trx, { to: email, ...question(name, link) });
	}
}

const question = (site: string, link: string) => ({
	subject: `Receive emails about ${site}?`,
	body: [
		`Someone who manages the site ${site} added this address as a recipient of its reports and alerts.`,
		"You receive nothing unless you agree.",
		{ link, label: "Answer" },
		"The link works for 7 days. If you did not expect this email, ignore it.",
	],
});

const tooManyAsked = (waitMs: number) =>
	new ServiceError("rate_limit_exceeded", {
		message: `A site asks at most ${MAX_OF_SITE} new recipients in a day`,
		retryAfter: Math.max(1, Math.ceil(waitMs / 1000)),
	});
