import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { issueOneTimeToken } from "../../people/one-time-tokens/index.ts";
import type { ProvisioningDeps } from "./deps.ts";

interface Recipient {
	readonly userId: number;
	readonly email: string;
	/** The slug: the name of the site is text of a stranger and could be a web address. */
	readonly siteId: string;
	/** The key of the site, which is known only when it is made. */
	readonly apiKey?: string;
}

/** Queues the mail with a new claim link, which ends the link before it. */
export async function queueClaimMail(
	deps: Pick<ProvisioningDeps, "clock" | "mailer" | "rootUrl">,
	trx: Metadata,
	{ userId, email, siteId, apiKey }: Recipient,
): Promise<void> {
	const { token } = await issueOneTimeToken(trx, "provision_claim", userId, deps.clock.now());
	await deps.mailer.queue(trx, {
		to: email,
		subject: `Your site ${siteId} is ready`,
		body: [
			`Footfall is set up to track visits of ${siteId}. Choose a password to claim the site.`,
			{ link: `${deps.rootUrl}/claim?token=${token}`, label: "Choose a password" },
			"The link works once, within 7 days.",
			...(apiKey === undefined ? [] : keyParagraphs(apiKey)),
			"If you did not expect this email, ignore it: a site that is not claimed stops tracking after 90 days.",
		],
	});
}

const keyParagraphs = (apiKey: string): string[] => [
	`The site's API key: ${apiKey}`,
	"It can read reports and settings, cannot change anything and never expires. The person who set up the site has it too; you can revoke it in your API keys.",
];
