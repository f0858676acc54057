import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import type { Mail } from "../../../../platform/outbound/mail/mailer.ts";
import { maybeMailed, standingsOf } from "../../mail-recipients/index.ts";
import { refusalsOf, unsubscribeUrl } from "../../mail-reports/index.ts";
import type { LensDeps } from "../deps.ts";

/** A mail without its receiver. */
export type Content = Pick<Mail, "subject" | "body">;

/** Mails those of some addresses who may be mailed about a site and have not unsubscribed from its summaries. */
export async function mailAll(
	deps: LensDeps,
	trx: Metadata,
	{ siteId, emails }: { readonly siteId: string; readonly emails: readonly string[] },
	{ subject, body }: Content,
): Promise<void> {
	const refused = await refusalsOf(trx, siteId, emails);
	const standings = await standingsOf(trx, { siteId, emails, nowMs: deps.clock.now() });
	for (const { email } of standings.filter(maybeMailed)) {
		if (refused.has(email)) continue;
		const unsubscribe = unsubscribeUrl(deps, { siteId, email });
		const why =
			"You receive this email because you own the site, or because someone who manages it added your address.";
		const end = [why, { link: unsubscribe, label: "Unsubscribe" }];
		await deps.mailer.queue(trx, { to: email, subject, body: [...body, ...end], unsubscribe });
	}
}
